//! A GPU program that uses the unmodified cudarc, which finds this library where it looks for the driver. The argument
//! names the part to run; an error ends it with exit code 1.

use cudarc::driver::{
    CudaContext, CudaStream, DriverError, LaunchConfig, PushKernelArg, result, sys,
};
use cudarc::nvrtc::Ptx;
use std::error::Error;
use std::ffi::{CString, c_void};
use std::sync::Arc;

const KERNELS: &str = include_str!("../../tests/kernels.ptx");

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let part = std::env::args().nth(1).ok_or("no part is named")?;
    let context = CudaContext::new(0)?;
    let stream = context.new_stream()?;
    match part.as_str() {
        "add" => add(&context, &stream),
        "graph" => graph(&context, &stream),
        "faults" => fault(&context, &stream),
        "undefined" => undefined(&stream),
        "refusals" => refusals(&context, &stream),
        _ => Err("no such part".into()),
    }
}

fn shape(blocks: u32, threads: u32) -> LaunchConfig {
    LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes: 0 }
}

fn expect(condition: bool, what: &str) -> Outcome {
    if condition { Ok(()) } else { Err(format!("not so: {what}").into()) }
}

/// The sum of two vectors, then the sum of its elements.
fn add(context: &Arc<CudaContext>, stream: &Arc<CudaStream>) -> Outcome {
    expect(context.compute_capability()? == (9, 0), "the device is a Hopper")?;
    expect(context.name()? == "PTX emulator", "the emulator is the device")?;
    let module = context.load_module(Ptx::from_src(KERNELS))?;
    let (add, total) = (module.load_function("add")?, module.load_function("total")?);
    expect(total.shared_size_bytes()? == 128 && add.num_regs()? > 0, "functions have attributes")?;
    let n = 1000;
    let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let (a, b) = (stream.clone_htod(&x)?, stream.clone_htod(&x)?);
    let mut c = stream.alloc_zeros::<f32>(n)?;
    let mut sum = stream.alloc_zeros::<f32>(1)?;
    let event = || context.new_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
    let (start, end) = (event()?, event()?);
    start.record(stream)?;
    let mut launch = stream.launch_builder(&add);
    let count = n as u32;
    launch.arg(&a).arg(&b).arg(&mut c).arg(&count);
    // SAFETY: these are the parameters of the kernel.
    unsafe { launch.launch(shape(4, 256)) }?;
    let mut launch = stream.launch_builder(&total);
    launch.arg(&c).arg(&mut sum).arg(&count);
    // SAFETY: as above.
    unsafe { launch.launch(shape(1, 1024)) }?;
    end.record(stream)?;
    expect(stream.clone_dtoh(&c)?[999] == 1998.0, "the last element")?;
    expect(stream.clone_dtoh(&sum)? == [999.0 * 1000.0], "the sum")?;
    stream.synchronize()?;
    expect(start.elapsed_ms(&end)? > 0.0, "time goes on")?;
    let (free, all) = context.mem_get_info()?;
    expect(free < all, "memory is used")
}

/// A recorded launch runs when its graph is launched, and not before.
fn graph(context: &Arc<CudaContext>, stream: &Arc<CudaStream>) -> Outcome {
    let module = context.load_module(Ptx::from_src(KERNELS))?;
    let double = module.load_function("double")?;
    let mut data = stream.clone_htod(&[1_f32; 64])?;
    // Otherwise the events of slices would be recorded too.
    // SAFETY: one stream uses the data.
    unsafe { context.disable_event_tracking() };
    stream.begin_capture(sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
    for _ in 0..3 {
        let mut launch = stream.launch_builder(&double);
        launch.arg(&mut data);
        // SAFETY: this is the parameter of the kernel.
        unsafe { launch.launch(shape(2, 32)) }?;
    }
    let graph = stream.end_capture(sys::CUgraphInstantiate_flags(0))?.ok_or("no graph")?;
    expect(stream.clone_dtoh(&data)? == [1.0; 64], "nothing has run yet")?;
    graph.launch()?;
    graph.launch()?;
    stream.synchronize()?;
    expect(stream.clone_dtoh(&data)? == [64.0; 64], "it ran twice")
}

/// A fault is reported at the synchronisation after the launch, and by all later calls.
fn fault(context: &Arc<CudaContext>, stream: &Arc<CudaStream>) -> Outcome {
    let module = context.load_module(Ptx::from_src(KERNELS))?;
    let double = module.load_function("double")?;
    let mut data = stream.clone_htod(&[1_f32; 64])?;
    let mut launch = stream.launch_builder(&double);
    launch.arg(&mut data);
    // SAFETY: the kernel faults, and the fault is reported.
    unsafe { launch.launch(shape(3, 32)) }?;
    let illegal = Err(DriverError(sys::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
    expect(stream.synchronize() == illegal, "an illegal address")?;
    expect(stream.clone_htod(&[1_f32]).is_err(), "the context is lost")?;
    println!(
        "{}",
        DriverError(sys::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS).error_string()?.to_string_lossy()
    );
    Ok(())
}

/// A copy of undefined bytes to the host is an error, which leaves the context usable.
fn undefined(stream: &Arc<CudaStream>) -> Outcome {
    // SAFETY: the memory is written before anything but the copy reads it.
    let mut data = unsafe { stream.alloc::<f32>(4) }?;
    let copied = stream.clone_dtoh(&data).map(|_| ());
    let failed = Err(DriverError(sys::CUresult::CUDA_ERROR_LAUNCH_FAILED));
    expect(copied == failed, "nothing has written the memory")?;
    stream.memcpy_htod(&[1_f32; 4], &mut data)?;
    expect(stream.clone_dtoh(&data)? == [1.0; 4], "the memory is written")
}

/// Errors that are reported at once and leave the context usable.
fn refusals(context: &Arc<CudaContext>, stream: &Arc<CudaStream>) -> Outcome {
    let invalid = |code| Err(DriverError(code));
    let bad = KERNELS.replace("add.f32", "frobnicate.f32");
    let refused = context.load_module(Ptx::from_src(&bad)).map(|_| ());
    expect(refused == invalid(sys::CUresult::CUDA_ERROR_INVALID_PTX), "invalid PTX")?;
    // With an error log.
    let image = CString::new(bad)?;
    let mut log = vec![0_u8; 200];
    let mut module = std::ptr::null_mut();
    let mut options = [
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
    // SAFETY: options and values have two elements each, and the log has the stated size.
    let code = unsafe {
        sys::cuModuleLoadDataEx(
            &mut module,
            image.as_ptr().cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    expect(code == sys::CUresult::CUDA_ERROR_INVALID_PTX, "invalid PTX, again")?;
    println!("{}", String::from_utf8_lossy(&log).trim_end_matches('\0'));
    let module = context.load_module(Ptx::from_src(KERNELS))?;
    let missing = module.load_function("missing").map(|_| ());
    expect(missing == invalid(sys::CUresult::CUDA_ERROR_NOT_FOUND), "no such kernel")?;
    let double = module.load_function("double")?;
    let mut data = stream.clone_htod(&[1_f32; 64])?;
    for config in [
        shape(1, 2048),
        LaunchConfig { block_dim: (u32::MAX, u32::MAX, u32::MAX), ..shape(1, 1) },
        LaunchConfig { shared_mem_bytes: 50_000, ..shape(1, 32) },
    ] {
        let mut launch = stream.launch_builder(&double);
        launch.arg(&mut data);
        // SAFETY: the launch is refused.
        let refused = unsafe { launch.launch(config) }.map(|_| ());
        expect(refused == invalid(sys::CUresult::CUDA_ERROR_INVALID_VALUE), "too large a launch")?;
    }
    let attribute = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    double.set_attribute(attribute, 50_000)?;
    let mut launch = stream.launch_builder(&double);
    launch.arg(&mut data);
    // SAFETY: this is the parameter of the kernel.
    unsafe { launch.launch(LaunchConfig { shared_mem_bytes: 50_000, ..shape(2, 32) }) }?;
    // SAFETY: the address is not allocated, which is an error.
    let freed = unsafe { result::free_sync(12345) };
    expect(freed == invalid(sys::CUresult::CUDA_ERROR_INVALID_VALUE), "nothing to free")?;
    expect(stream.clone_dtoh(&data)?[0] == 2.0, "the context is in order")
}
