//! A GPU through NVIDIA's driver, which is loaded on first use.
//!
//! All work is on one stream, in order; memory is allocated on that stream too.

use super::{Code, Device, GpuError, Launch, Memory, Replay, same_device};
use crate::ffi::cuda::{self, Module, message};
use cudarc::driver::{CudaContext, CudaGraph, CudaSlice, CudaStream, DevicePtr, DriverError, sys};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// A GPU.
pub struct Cuda {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    name: String,
    capability: (u32, u32),
    launched: Rc<RefCell<Vec<(String, String)>>>,
}

impl Cuda {
    /// The number of GPUs; 0 without a driver.
    pub fn count() -> usize {
        let count = cuda::is_present().then(CudaContext::device_count);
        count.and_then(Result::ok).and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
    }

    /// Opens a GPU. The contract is that of [`Cuda::open`].
    pub(crate) fn connect(ordinal: usize) -> Result<Cuda, GpuError> {
        if !cuda::is_present() {
            return Err(GpuError::NoDriver);
        }
        let what = || format!("cuda:{ordinal}");
        let count = CudaContext::device_count().map_err(failed(what()))?;
        let count = usize::try_from(count).unwrap_or(0);
        if ordinal >= count {
            return Err(GpuError::NoDevice { ordinal, count });
        }
        let context = cuda::context(ordinal).map_err(failed(what()))?;
        let stream = context.new_stream().map_err(failed(what()))?;
        let name = context.name().map_err(failed(what()))?;
        let (major, minor) = context.compute_capability().map_err(failed(what()))?;
        let capability = (major.unsigned_abs(), minor.unsigned_abs());
        let name = format!("{} ({name})", what());
        Ok(Cuda { context, stream, name, capability, launched: Rc::default() })
    }
}

impl Device for Cuda {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn capability(&self) -> (u32, u32) {
        self.capability
    }

    fn load(&self, chip: &str, ptx: &str) -> Result<Box<dyn Code>, GpuError> {
        let module = Module::load(&self.context, ptx)
            .map_err(|reason| GpuError::Load { chip: chip.to_owned(), reason })?;
        Ok(Box::new(Loaded {
            module,
            stream: self.stream.clone(),
            ptx: ptx.to_owned(),
            launched: self.launched.clone(),
        }))
    }

    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>, GpuError> {
        let slice = cuda::allocate(&self.stream, bytes)
            .map_err(failed(format!("memory of {bytes} bytes")))?;
        Ok(Box::new(Slice { slice, stream: self.stream.clone() }))
    }

    fn take_profiles(&self) -> Vec<(String, String)> {
        self.launched.take()
    }

    fn finish(&self) -> Result<(), GpuError> {
        self.stream.synchronize().map_err(failed(self.name.clone()))
    }

    fn record(
        &self,
        launches: &mut dyn FnMut() -> Result<(), GpuError>,
    ) -> Result<Option<Box<dyn Replay>>, GpuError> {
        let failed = || failed("a graph of launches".to_owned());
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        self.stream.begin_capture(mode).map_err(failed())?;
        // The stream must leave capture mode even if the launches fail.
        let outcome = launches();
        let graph = self.stream.end_capture(sys::CUgraphInstantiate_flags(0));
        outcome?;
        let Some(graph) = graph.map_err(failed())? else { return Ok(None) };
        let replay = Graph(graph);
        replay.run()?;
        Ok(Some(Box::new(replay)))
    }

    fn time(
        &self,
        launches: &mut dyn FnMut() -> Result<(), GpuError>,
    ) -> Result<Duration, GpuError> {
        let failed = || failed("an event".to_owned());
        let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let event = || self.context.new_event(flags).map_err(failed());
        let (start, end) = (event()?, event()?);
        start.record(&self.stream).map_err(failed())?;
        launches()?;
        end.record(&self.stream).map_err(failed())?;
        let milliseconds = start.elapsed_ms(&end).map_err(failed())?;
        Ok(Duration::from_secs_f64(f64::from(milliseconds.max(0.0)) / 1e3))
    }
}

struct Loaded {
    module: Module,
    stream: Arc<CudaStream>,
    ptx: String,
    launched: Rc<RefCell<Vec<(String, String)>>>,
}

impl Code for Loaded {
    fn launch(&self, launch: &Launch) -> Result<(), GpuError> {
        let found: Vec<usize> = launch.arguments.iter().map(Vec::len).collect();
        let expected = parameters(&self.ptx, launch.kernel).ok_or_else(|| GpuError::Device {
            what: launch.kernel.to_owned(),
            reason: "found no such kernel in the PTX, or one whose parameters cannot be read"
                .to_owned(),
        })?;
        if found != expected {
            return Err(GpuError::Device {
                what: launch.kernel.to_owned(),
                reason: format!("found arguments of {found:?} bytes, expected {expected:?}"),
            });
        }
        let Launch { kernel, shared, .. } = launch;
        let failed = || failed((*kernel).to_owned());
        let most = self.module.room(kernel).map_err(failed())?;
        if *shared > most {
            return Err(GpuError::Device {
                what: (*kernel).to_owned(),
                reason: format!(
                    "a thread block needs {shared} bytes of shared memory, but the device has {most}"
                ),
            });
        }
        self.module.launch(&self.stream, launch).map_err(failed())?;
        let resources = self.module.resources(kernel, *shared).map_err(failed())?;
        let table =
            format!("{:<24}{:?} of {:?} threads\n{resources}", "blocks", launch.grid, launch.block);
        self.launched.borrow_mut().push(((*kernel).to_owned(), table));
        Ok(())
    }
}

struct Slice {
    slice: CudaSlice<u8>,
    stream: Arc<CudaStream>,
}

impl Memory for Slice {
    fn address(&self) -> u64 {
        self.slice.device_ptr(&self.stream).0
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), GpuError> {
        match bytes {
            [] => Ok(()),
            _ => self
                .stream
                .memcpy_htod(bytes, &mut self.slice)
                .map_err(failed("a copy to the device".to_owned())),
        }
    }

    fn copy_from(&mut self, other: &dyn Memory, bytes: usize) -> Result<(), GpuError> {
        let other = same_device::<Slice>(other)?;
        if bytes == 0 {
            return Ok(());
        }
        let (from, mut to) = (other.slice.slice(..bytes), self.slice.slice_mut(..bytes));
        self.stream.memcpy_dtod(&from, &mut to).map_err(failed("a copy on the device".to_owned()))
    }

    fn read(&self, bytes: &mut [u8]) -> Result<(), GpuError> {
        let failed = || failed("a copy from the device".to_owned());
        if bytes.is_empty() {
            return Ok(());
        }
        self.stream.memcpy_dtoh(&self.slice.slice(..bytes.len()), bytes).map_err(failed())?;
        self.stream.synchronize().map_err(failed())
    }
}

struct Graph(CudaGraph);

impl Replay for Graph {
    fn run(&self) -> Result<(), GpuError> {
        self.0.launch().map_err(failed("a graph of launches".to_owned()))
    }
}

fn failed(what: String) -> impl FnOnce(DriverError) -> GpuError {
    move |error| GpuError::Device { what, reason: message(&error) }
}

/// The bytes of each parameter of a kernel, according to its PTX; `None` if there is no such kernel. The driver reads
/// this many bytes of arguments, so this check prevents it from reading past the arguments of a wrong call.
fn parameters(ptx: &str, kernel: &str) -> Option<Vec<usize>> {
    let ptx = without_comments(ptx);
    let entry = |text: &&str| text.trim_start().strip_prefix(kernel).is_some_and(is_list);
    let after_entry = |text: &&str| text.starts_with(char::is_whitespace);
    let list = ptx.split(".entry").skip(1).filter(after_entry).find(entry)?;
    let list = list.split_once('(')?.1.split_once(')')?.0;
    list.split(',').filter(|text| !text.trim().is_empty()).map(parameter_bytes).collect()
}

/// The size of `.param .u64 name` or `.param .align 8 .b8 name[24]` in bytes; `None` for other forms.
fn parameter_bytes(text: &str) -> Option<usize> {
    let (head, count) = match text.split_once('[') {
        Some((head, rest)) => (head, rest.trim_end().strip_suffix(']')?.trim().parse().ok()?),
        None => (text, 1),
    };
    let mut words = head.split_whitespace().filter(|word| word.starts_with('.'));
    if words.next() != Some(".param") || words.clone().any(|word| word.starts_with(".v")) {
        return None;
    }
    let bits =
        |word: &str| word.strip_prefix('.')?.strip_prefix(['u', 's', 'b', 'f'])?.parse().ok();
    let bits: usize = words.find_map(bits)?;
    (bits / 8).checked_mul(count)
}

fn without_comments(ptx: &str) -> String {
    let mut text = String::with_capacity(ptx.len());
    let mut rest = ptx;
    while let Some(start) = ["//", "/*"].iter().filter_map(|mark| rest.find(mark)).min() {
        text.push_str(&rest[..start]);
        text.push(' ');
        let comment = &rest[start..];
        let end = if comment.starts_with("//") { "\n" } else { "*/" };
        rest = comment[2..].split_once(end).map_or("", |(_, after)| after);
    }
    text + rest
}

/// True if `rest` can follow the name of a kernel.
fn is_list(rest: &str) -> bool {
    rest.trim_start().starts_with('(')
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "
.visible .entry main_0(
	.param .u64 .ptr .align 16 main_0_param_0,
	.param .u32 main_0_param_1,
	.param .align 8 .b8 main_0_param_2[24]
)
.maxntid 256
{ ret; }
.visible .entry main_0_i32()
{ ret; }";

    #[test]
    fn parameters_have_the_bytes_that_the_ptx_says() {
        assert_eq!(parameters(PTX, "main_0"), Some(vec![8, 4, 24]));
        assert_eq!(parameters(PTX, "main_0_i32"), Some(vec![]));
        assert_eq!(parameters(PTX, "main"), None);
    }

    #[test]
    fn what_cannot_be_read_is_not_taken_as_no_parameters() {
        let with = |list: &str| parameters(&format!(".visible .entry\tk ({list})"), "k");
        assert_eq!(with(".param .f32 p"), Some(vec![4]));
        for list in
            [".param .v4 .f32 p", ".param .f16x2 p", ".param .b8 p[4*4]", ".param .b8 p[8][512]"]
        {
            assert_eq!(with(list), None, "{list}");
        }
        let hidden = "// .entry k()\n/* .entry k() */ .visible .entry k(.param .b8 p[4096])";
        assert_eq!(parameters(hidden, "k"), Some(vec![4096]));
        assert_eq!(parameters("// .entry k()", "k"), None);
    }
}
