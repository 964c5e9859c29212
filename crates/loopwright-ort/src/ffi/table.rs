//! The table of functions: the entries that are implemented, and the names of all others.
//!
//! The literal of the table names each field, so a field that is missing here does not compile.

use super::binding::{self, Binding};
use super::environment::{self, Environment, Threading};
use super::memory::{self, MemoryInfo};
use super::metadata;
use super::options::{self, HeldOptions};
use super::refusal::{Entry, EntryName};
use super::run;
use super::run_options::{self, RunOptions};
use super::session;
use super::status::{self, Status};
use super::type_info::{self, TensorInfo, TypeInfo};
use super::value::{self, Value};
use super::{accept, accept_value, release};
use crate::metadata::Metadata;
use crate::session::Session;
use ort::sys::OrtApi;

/// Makes the table: `implemented` has functions, and the calls of `refused` return an error with the name of the entry.
macro_rules! table {
    (implemented { $($field:ident: $function:expr,)* } refused { $($name:ident)* }) => {
        OrtApi {
            $($field: $function,)*
            $($name: {
                struct Name;
                impl EntryName for Name {
                    const NAME: &'static str = stringify!($name);
                }
                Entry::refusing::<Name>()
            },)*
        }
    };
}

/// The table of functions that `ort::set_api` takes.
pub fn api() -> OrtApi {
    table! {
        implemented {
            CreateStatus: status::create,
            GetErrorCode: status::code,
            GetErrorMessage: status::message,
            ReleaseStatus: release::<Status>,
            CreateEnv: environment::create,
            CreateEnvWithCustomLogger: environment::create_with_logger,
            CreateEnvWithGlobalThreadPools: environment::create_with_threads,
            CreateEnvWithCustomLoggerAndGlobalThreadPools: environment::create_with_logger_and_threads,
            EnableTelemetryEvents: environment::telemetry,
            DisableTelemetryEvents: environment::telemetry,
            UpdateEnvWithCustomLogLevel: environment::set_level,
            ReleaseEnv: release::<Environment>,
            CreateThreadingOptions: environment::create_threading,
            SetGlobalIntraOpNumThreads: environment::set_global_threads,
            SetGlobalInterOpNumThreads: accept_value,
            SetGlobalSpinControl: accept_value,
            ReleaseThreadingOptions: release::<Threading>,
            CreateSessionOptions: options::create,
            CloneSessionOptions: options::copy,
            SetSessionGraphOptimizationLevel: options::set_level,
            SetIntraOpNumThreads: options::set_threads,
            SetInterOpNumThreads: accept_value,
            SetSessionExecutionMode: accept_value,
            DisablePerSessionThreads: options::use_global_threads,
            AddFreeDimensionOverrideByName: options::set_dimension,
            AddSessionConfigEntry: options::set_config,
            HasSessionConfigEntry: options::has_config,
            GetSessionConfigEntry: options::config,
            SetSessionLogSeverityLevel: options::set_log_level,
            SetSessionLogVerbosityLevel: accept_value,
            SetSessionLogId: accept_value,
            SetUserLoggingFunction: options::set_logger,
            SessionOptionsSetLoadCancellationFlag: options::cancel,
            EnableMemPattern: accept,
            DisableMemPattern: accept,
            EnableCpuMemArena: accept,
            DisableCpuMemArena: accept,
            DisableProfiling: accept,
            SetDeterministicCompute: accept_value,
            SessionOptionsSetEpSelectionPolicy: accept_value,
            SessionOptionsAppendExecutionProvider: session::append_provider,
            ReleaseSessionOptions: release::<HeldOptions>,
            CreateSession: session::create,
            CreateSessionFromArray: session::create_from_memory,
            SessionGetInputCount: session::input_count,
            SessionGetOutputCount: session::output_count,
            SessionGetOverridableInitializerCount: session::overridable_count,
            SessionGetInputName: session::input_name,
            SessionGetOutputName: session::output_name,
            SessionGetInputTypeInfo: session::input_type,
            SessionGetOutputTypeInfo: session::output_type,
            SessionGetMemoryInfoForInputs: session::memory_of_ports,
            SessionGetMemoryInfoForOutputs: session::memory_of_ports,
            ReleaseSession: release::<Session>,
            GetBuildInfoString: session::build_info,
            GetAvailableProviders: session::providers,
            ReleaseAvailableProviders: session::release_providers,
            SessionGetModelMetadata: metadata::of_session,
            ModelMetadataGetProducerName: metadata::producer,
            ModelMetadataGetGraphName: metadata::graph_name,
            ModelMetadataGetDomain: metadata::domain,
            ModelMetadataGetDescription: metadata::description,
            ModelMetadataGetGraphDescription: metadata::graph_description,
            ModelMetadataGetVersion: metadata::version,
            ModelMetadataLookupCustomMetadataMap: metadata::lookup,
            ModelMetadataGetCustomMetadataMapKeys: metadata::keys,
            ReleaseModelMetadata: release::<Metadata>,
            Run: run::run_session,
            RunAsync: run::run_async,
            RunWithBinding: binding::run_binding,
            CreateIoBinding: binding::create,
            BindInput: binding::bind_input,
            BindOutput: binding::bind_output,
            BindOutputToDevice: binding::bind_output_to_device,
            GetBoundOutputValues: binding::bound_outputs,
            ClearBoundInputs: binding::clear_inputs,
            ClearBoundOutputs: binding::clear_outputs,
            SynchronizeBoundInputs: accept,
            SynchronizeBoundOutputs: accept,
            ReleaseIoBinding: release::<Binding>,
            CreateRunOptions: run_options::create,
            RunOptionsSetRunTag: run_options::set_tag,
            RunOptionsGetRunTag: run_options::tag,
            RunOptionsSetRunLogVerbosityLevel: run_options::set_verbosity,
            RunOptionsGetRunLogVerbosityLevel: run_options::verbosity,
            RunOptionsSetRunLogSeverityLevel: run_options::set_level,
            RunOptionsGetRunLogSeverityLevel: run_options::level,
            RunOptionsSetTerminate: run_options::terminate,
            RunOptionsUnsetTerminate: run_options::unterminate,
            AddRunConfigEntry: run_options::set_config,
            GetRunConfigEntry: run_options::config,
            ReleaseRunOptions: release::<RunOptions>,
            CreateTensorAsOrtValue: value::create,
            CreateTensorWithDataAsOrtValue: value::create_with_data,
            IsTensor: value::is_tensor,
            IsSparseTensor: value::is_sparse,
            HasValue: value::has_value,
            GetValueType: value::kind,
            GetTensorMutableData: value::data_mut,
            GetTensorData: value::data,
            TensorAt: value::element_at,
            GetTensorElementTypeAndShapeDataReference: value::type_and_shape,
            GetTensorSizeInBytes: value::bytes,
            GetTensorMemoryInfo: value::memory,
            ReleaseValue: release::<Value>,
            GetTypeInfo: type_info::of_value,
            GetTensorTypeAndShape: type_info::tensor_of_value,
            GetOnnxTypeFromTypeInfo: type_info::kind,
            CastTypeInfoToTensorInfo: type_info::tensor_of_type,
            CreateTensorTypeAndShapeInfo: type_info::create,
            SetTensorElementType: type_info::set_element,
            SetDimensions: type_info::set_sizes,
            SetSymbolicDimensions: type_info::set_names,
            GetTensorElementType: type_info::element,
            GetDimensionsCount: type_info::rank,
            GetDimensions: type_info::sizes,
            GetSymbolicDimensions: type_info::names,
            GetTensorShapeElementCount: type_info::element_count,
            TensorTypeAndShape_HasShape: type_info::has_shape,
            ReleaseTypeInfo: release::<TypeInfo>,
            ReleaseTensorTypeAndShapeInfo: release::<TensorInfo>,
            CreateMemoryInfo: memory::create_info,
            CreateCpuMemoryInfo: memory::create_cpu_info,
            CompareMemoryInfo: memory::compare_info,
            MemoryInfoGetName: memory::info_name,
            MemoryInfoGetId: memory::info_id,
            MemoryInfoGetMemType: memory::info_memory_type,
            MemoryInfoGetType: memory::info_allocator_type,
            MemoryInfoGetDeviceType: memory::info_device_type,
            MemoryInfoGetDeviceMemType: memory::info_device_memory_type,
            ReleaseMemoryInfo: release::<MemoryInfo>,
            AllocatorAlloc: memory::allocator_alloc,
            AllocatorFree: memory::allocator_free,
            AllocatorGetInfo: memory::allocator_info,
            GetAllocatorWithDefaultOptions: memory::default_allocator,
            CreateAllocator: memory::create_allocator,
            ReleaseAllocator: memory::release_allocator,
        }
        refused {
            SetOptimizedModelFilePath EnableProfiling CreateCustomOpDomain CustomOpDomain_Add
            AddCustomOpDomain RegisterCustomOpsLibrary SessionGetOverridableInitializerTypeInfo
            SessionGetOverridableInitializerName FillStringTensor GetStringTensorDataLength
            GetStringTensorContent AddFreeDimensionOverride GetValue GetValueCount CreateValue
            CreateOpaqueValue GetOpaqueValue KernelInfoGetAttribute_float
            KernelInfoGetAttribute_int64 KernelInfoGetAttribute_string KernelContext_GetInputCount
            KernelContext_GetOutputCount KernelContext_GetInput KernelContext_GetOutput
            ReleaseCustomOpDomain GetDenotationFromTypeInfo CastTypeInfoToMapTypeInfo
            CastTypeInfoToSequenceTypeInfo GetMapKeyType GetMapValueType GetSequenceElementType
            ReleaseMapTypeInfo ReleaseSequenceTypeInfo SessionEndProfiling
            GetStringTensorElementLength GetStringTensorElement FillStringTensorElement
            GetBoundOutputNames CreateAndRegisterAllocator SetLanguageProjection
            SessionGetProfilingStartTimeNs AddInitializer
            SessionOptionsAppendExecutionProvider_CUDA SessionOptionsAppendExecutionProvider_ROCM
            SessionOptionsAppendExecutionProvider_OpenVINO SetGlobalDenormalAsZero CreateArenaCfg
            ReleaseArenaCfg SessionOptionsAppendExecutionProvider_TensorRT SetCurrentGpuDeviceId
            GetCurrentGpuDeviceId KernelInfoGetAttributeArray_float
            KernelInfoGetAttributeArray_int64 CreateArenaCfgV2 CreatePrepackedWeightsContainer
            ReleasePrepackedWeightsContainer CreateSessionWithPrepackedWeightsContainer
            CreateSessionFromArrayWithPrepackedWeightsContainer
            SessionOptionsAppendExecutionProvider_TensorRT_V2 CreateTensorRTProviderOptions
            UpdateTensorRTProviderOptions GetTensorRTProviderOptionsAsString
            ReleaseTensorRTProviderOptions EnableOrtCustomOps RegisterAllocator
            UnregisterAllocator CreateSparseTensorAsOrtValue FillSparseTensorCoo
            FillSparseTensorCsr FillSparseTensorBlockSparse CreateSparseTensorWithValuesAsOrtValue
            UseCooIndices UseCsrIndices UseBlockSparseIndices GetSparseTensorFormat
            GetSparseTensorValuesTypeAndShape GetSparseTensorValues
            GetSparseTensorIndicesTypeShape GetSparseTensorIndices
            KernelContext_GetGPUComputeStream GetExecutionProviderApi
            SessionOptionsSetCustomCreateThreadFn SessionOptionsSetCustomThreadCreationOptions
            SessionOptionsSetCustomJoinThreadFn SetGlobalCustomCreateThreadFn
            SetGlobalCustomThreadCreationOptions SetGlobalCustomJoinThreadFn
            SessionOptionsAppendExecutionProvider_CUDA_V2 CreateCUDAProviderOptions
            UpdateCUDAProviderOptions GetCUDAProviderOptionsAsString ReleaseCUDAProviderOptions
            SessionOptionsAppendExecutionProvider_MIGraphX AddExternalInitializers CreateOpAttr
            ReleaseOpAttr CreateOp InvokeOp ReleaseOp CopyKernelInfo ReleaseKernelInfo
            GetTrainingApi SessionOptionsAppendExecutionProvider_CANN CreateCANNProviderOptions
            UpdateCANNProviderOptions GetCANNProviderOptionsAsString ReleaseCANNProviderOptions
            SetGlobalIntraOpThreadAffinity RegisterCustomOpsLibrary_V2
            RegisterCustomOpsUsingFunction KernelInfo_GetInputCount KernelInfo_GetOutputCount
            KernelInfo_GetInputName KernelInfo_GetOutputName KernelInfo_GetInputTypeInfo
            KernelInfo_GetOutputTypeInfo KernelInfoGetAttribute_tensor
            SessionOptionsAppendExecutionProvider_Dnnl CreateDnnlProviderOptions
            UpdateDnnlProviderOptions GetDnnlProviderOptionsAsString ReleaseDnnlProviderOptions
            KernelInfo_GetNodeName KernelInfo_GetLogger KernelContext_GetLogger Logger_LogMessage
            Logger_GetLoggingSeverityLevel KernelInfoGetConstantInput_tensor
            CastTypeInfoToOptionalTypeInfo GetOptionalContainedTypeInfo
            GetResizedStringTensorElementBuffer KernelContext_GetAllocator
            CreateROCMProviderOptions UpdateROCMProviderOptions GetROCMProviderOptionsAsString
            ReleaseROCMProviderOptions CreateAndRegisterAllocatorV2
            UpdateTensorRTProviderOptionsWithValue GetTensorRTProviderOptionsByName
            UpdateCUDAProviderOptionsWithValue GetCUDAProviderOptionsByName
            KernelContext_GetResource ShapeInferContext_GetInputCount
            ShapeInferContext_GetInputTypeShape ShapeInferContext_GetAttribute
            ShapeInferContext_SetOutputTypeShape ReadOpAttr KernelContext_ParallelFor
            SessionOptionsAppendExecutionProvider_OpenVINO_V2
            SessionOptionsAppendExecutionProvider_VitisAI KernelContext_GetScratchBuffer
            KernelInfoGetAllocator AddExternalInitializersFromMemory CreateLoraAdapter
            CreateLoraAdapterFromArray ReleaseLoraAdapter RunOptionsAddActiveLoraAdapter
            SetEpDynamicOptions ReleaseValueInfo ReleaseNode ReleaseGraph ReleaseModel
            GetValueInfoName GetValueInfoTypeInfo GetModelEditorApi
            CreateTensorWithDataAndDeleterAsOrtValue GetCompileApi CreateKeyValuePairs
            AddKeyValuePair GetKeyValue GetKeyValuePairs RemoveKeyValuePair ReleaseKeyValuePairs
            RegisterExecutionProviderLibrary UnregisterExecutionProviderLibrary GetEpDevices
            SessionOptionsAppendExecutionProvider_V2 SessionOptionsSetEpSelectionPolicyDelegate
            HardwareDevice_Type HardwareDevice_VendorId HardwareDevice_Vendor
            HardwareDevice_DeviceId HardwareDevice_Metadata EpDevice_EpName EpDevice_EpVendor
            EpDevice_EpMetadata EpDevice_EpOptions EpDevice_Device GetEpApi AllocatorGetStats
            CreateMemoryInfo_V2 MemoryInfoGetVendorId ValueInfo_GetValueProducer
            ValueInfo_GetValueNumConsumers ValueInfo_GetValueConsumers
            ValueInfo_GetInitializerValue ValueInfo_GetExternalInitializerInfo
            ValueInfo_IsRequiredGraphInput ValueInfo_IsOptionalGraphInput ValueInfo_IsGraphOutput
            ValueInfo_IsConstantInitializer ValueInfo_IsFromOuterScope Graph_GetName
            Graph_GetModelPath Graph_GetOnnxIRVersion Graph_GetNumOperatorSets
            Graph_GetOperatorSets Graph_GetNumInputs Graph_GetInputs Graph_GetNumOutputs
            Graph_GetOutputs Graph_GetNumInitializers Graph_GetInitializers Graph_GetNumNodes
            Graph_GetNodes Graph_GetParentNode Graph_GetGraphView Node_GetId Node_GetName
            Node_GetOperatorType Node_GetDomain Node_GetSinceVersion Node_GetNumInputs
            Node_GetInputs Node_GetNumOutputs Node_GetOutputs Node_GetNumImplicitInputs
            Node_GetImplicitInputs Node_GetNumAttributes Node_GetAttributes
            Node_GetAttributeByName OpAttr_GetTensorAttributeAsOrtValue OpAttr_GetType
            OpAttr_GetName Node_GetNumSubgraphs Node_GetSubgraphs Node_GetGraph Node_GetEpName
            ReleaseExternalInitializerInfo ExternalInitializerInfo_GetFilePath
            ExternalInitializerInfo_GetFileOffset ExternalInitializerInfo_GetByteSize
            EpDevice_MemoryInfo CreateSharedAllocator GetSharedAllocator ReleaseSharedAllocator
            GetSessionOptionsConfigEntries SessionGetEpDeviceForInputs CreateSyncStreamForEpDevice
            SyncStream_GetHandle ReleaseSyncStream CopyTensors Graph_GetModelMetadata
            GetModelCompatibilityForEpDevices CreateExternalInitializerInfo
            KernelInfo_GetConfigEntries KernelInfo_GetOperatorDomain KernelInfo_GetOperatorType
            KernelInfo_GetOperatorSinceVersion GetInteropApi SessionGetEpDeviceForOutputs
            GetNumHardwareDevices GetHardwareDevices GetHardwareDeviceEpIncompatibilityDetails
            DeviceEpIncompatibilityDetails_GetReasonsBitmask
            DeviceEpIncompatibilityDetails_GetNotes DeviceEpIncompatibilityDetails_GetErrorCode
            ReleaseDeviceEpIncompatibilityDetails GetCompatibilityInfoFromModel
            GetCompatibilityInfoFromModelBytes CreateEnvWithOptions
            Session_GetEpGraphAssignmentInfo EpAssignedSubgraph_GetEpName
            EpAssignedSubgraph_GetNodes EpAssignedNode_GetName EpAssignedNode_GetDomain
            EpAssignedNode_GetOperatorType RunOptionsSetSyncStream RunOptionsEnableProfiling
            RunOptionsDisableProfiling KernelInfoGetAttributeArray_string
            SetPerSessionThreadPoolCallbacks GetMemPatternEnabled GetSessionExecutionMode
            SessionReleaseCapturedGraph GetExperimentalFunction KernelContext_GetSyncStream
            SessionOptionsSetWeightlessSourceModelBuffer KernelContext_GetPreallocatedOutput
            SessionOptionsSetEpContextDataReadFunc GetModelPackageApi
        }
    }
}
