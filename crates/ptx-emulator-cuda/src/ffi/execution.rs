//! Launches, streams, events and graphs.

use super::{Code, Handle, checked, code, give, handle, number};
use crate::driver::{DRIVER, Driver, Launch};
use crate::status::{Result, Status};
use ptx_emulator::{Argument, LaunchConfig};
use std::ffi::{c_int, c_uint, c_ulonglong, c_void};
use std::sync::Arc;

/// # Safety
/// `parameters` has a pointer for each parameter of the kernel, to as many bytes as the parameter has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: Handle,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    dynamic_shared: c_uint,
    stream: Handle,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Code {
    checked(|| {
        if !extra.is_null() {
            return Err(Status::NotSupported);
        }
        let kernel = DRIVER.find_function(number(function))?.kernel;
        if parameters.is_null() && !kernel.parameters().is_empty() {
            return Err(Status::InvalidValue);
        }
        let argument = |(i, bytes): (usize, usize)| {
            // SAFETY: there is a pointer for each parameter, to its bytes.
            Argument::bytes(unsafe {
                std::slice::from_raw_parts((*parameters.add(i)).cast(), bytes)
            })
        };
        let sizes = kernel.parameters().iter().map(|it| it.bytes as usize);
        let launch = Launch {
            function: number(function),
            config: LaunchConfig {
                grid: [grid_x, grid_y, grid_z],
                block: [block_x, block_y, block_z],
                dynamic_shared,
                seed: seed(),
                ..LaunchConfig::default()
            },
            arguments: sizes.enumerate().map(argument).collect(),
        };
        DRIVER.check_launch(&launch)?;
        let run = move |driver: &Driver| -> Result { driver.launch(&launch) };
        DRIVER.submit(number(stream), Arc::new(run))
    })
}

/// `PTX_EMULATOR_SEED` determines the order of warps.
fn seed() -> u64 {
    std::env::var("PTX_EMULATOR_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(0)
}

/// # Safety
/// `stream` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: *mut Handle, _flags: c_uint) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(stream, handle(DRIVER.new_stream())) })
}

/// # Safety
/// `stream` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreateWithPriority(
    stream: *mut Handle,
    flags: c_uint,
    _priority: c_int,
) -> Code {
    // SAFETY: by the contract of this function.
    unsafe { cuStreamCreate(stream, flags) }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamDestroy_v2(stream: Handle) -> Code {
    code(DRIVER.destroy_stream(number(stream)))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamSynchronize(stream: Handle) -> Code {
    match DRIVER.is_capturing(number(stream)) {
        true => Status::StreamCaptureUnsupported as Code,
        false => checked(|| Ok(())),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamQuery(stream: Handle) -> Code {
    cuStreamSynchronize(stream)
}

/// All work before an event is already done.
#[unsafe(no_mangle)]
pub extern "C" fn cuStreamWaitEvent(_stream: Handle, event: Handle, _flags: c_uint) -> Code {
    checked(|| DRIVER.has_event(number(event)))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuStreamBeginCapture_v2(stream: Handle, _mode: c_int) -> Code {
    checked(|| DRIVER.begin_capture(number(stream)))
}

/// # Safety
/// `graph` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamEndCapture(stream: Handle, graph: *mut Handle) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(graph, handle(DRIVER.end_capture(number(stream))?)) })
}

/// # Safety
/// `status` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamIsCapturing(stream: Handle, status: *mut c_int) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(status, c_int::from(DRIVER.is_capturing(number(stream)))) })
}

/// # Safety
/// `executable` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphInstantiateWithFlags(
    executable: *mut Handle,
    graph: Handle,
    _flags: c_ulonglong,
) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(executable, handle(DRIVER.instantiate(number(graph))?)) })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuGraphLaunch(executable: Handle, stream: Handle) -> Code {
    checked(|| DRIVER.launch_graph(number(executable), number(stream)))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuGraphUpload(_executable: Handle, _stream: Handle) -> Code {
    checked(|| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuGraphDestroy(graph: Handle) -> Code {
    code(DRIVER.destroy_graph(number(graph)))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuGraphExecDestroy(executable: Handle) -> Code {
    code(DRIVER.destroy_graph(number(executable)))
}

/// # Safety
/// `event` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventCreate(event: *mut Handle, _flags: c_uint) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(event, handle(DRIVER.new_event())) })
}

/// Events need no ordering in a captured stream, because the stream is in order anyway. A fault of an earlier launch is
/// not reported here but at the synchronisation, since a device would still be running.
#[unsafe(no_mangle)]
pub extern "C" fn cuEventRecord(event: Handle, _stream: Handle) -> Code {
    code(DRIVER.record_event(number(event)))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventQuery(event: Handle) -> Code {
    checked(|| DRIVER.has_event(number(event)))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventSynchronize(event: Handle) -> Code {
    checked(|| DRIVER.has_event(number(event)))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventDestroy_v2(event: Handle) -> Code {
    code(DRIVER.destroy_event(number(event)))
}

/// # Safety
/// `milliseconds` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventElapsedTime_v2(
    milliseconds: *mut f32,
    start: Handle,
    end: Handle,
) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(milliseconds, DRIVER.elapsed(number(start), number(end))?) })
}

/// # Safety
/// As for [`cuEventElapsedTime_v2`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventElapsedTime(
    milliseconds: *mut f32,
    start: Handle,
    end: Handle,
) -> Code {
    // SAFETY: by the contract of this function.
    unsafe { cuEventElapsedTime_v2(milliseconds, start, end) }
}
