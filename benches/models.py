#!/usr/bin/env python3
"""Times whole models beside other compilers and libraries, on the same inputs and weights.

    benches/models.py LW_RUN [--only resnet18,encoder] [--peers onnxruntime,openvino,torch] [--threads 1] [--rounds 3]
                      [--seconds 1.5] [--fp fast] [--keep FOLDER]
    benches/models.py LW_RUN --kernels [--only resnet18,encoder] [--keep FOLDER]

Needs from PyPI: torch, torch-mlir, torchvision, onnx, numpy, and the peers: onnxruntime, openvino, iree-base-compiler and
iree-base-runtime (the peer iree), jax (the peer xla), apache-tvm 0.27.0.post1 with apache-tvm-ffi 0.1.14.post0 (the peer tvm, not
tuned); the peer inductor, which is torch.compile, needs a C++ compiler. With
--kernels it prints how many kernels lw-run and Inductor make of each model. The weights are random; nothing is downloaded. PyTorch exports each model through torch-mlir to linalg for `lw-run`, and to ONNX for the others. Each result
is compared with PyTorch's in f64. In each round all run in turn, each in a process of its own. Printed are medians over the
rounds of the median milliseconds of a call.
"""

import argparse, json, os, pathlib, re, shutil, statistics, subprocess, sys, tempfile, time, warnings

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

PEERS = ["onnxruntime", "openvino", "torch", "inductor", "iree", "xla", "tvm"]


class Attention(nn.Module):
    """Attention of one layer of BERT or GPT-2."""

    def __init__(self, wide=768, heads=12):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(wide, wide) for _ in range(4))

    def forward(self, x, keys=None, values=None, mask=None):
        batch, length, wide = x.shape
        split = lambda t: t.reshape(batch, length, self.heads, -1).transpose(1, 2)
        q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))
        if keys is not None:
            k, v = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        scores = q @ k.transpose(-1, -2) / (wide // self.heads) ** 0.5
        if mask is not None:
            scores = scores + mask
        mixed = torch.softmax(scores, -1) @ v
        return self.o(mixed.transpose(1, 2).reshape(batch, length, wide))


class Block(nn.Module):
    def __init__(self, wide=768):
        super().__init__()
        self.attention = Attention(wide)
        self.first, self.second = nn.LayerNorm(wide), nn.LayerNorm(wide)
        self.up, self.down = nn.Linear(wide, 4 * wide), nn.Linear(4 * wide, wide)


class Encoder(Block):
    """A layer of BERT: norms follow."""

    def forward(self, x):
        x = self.first(x + self.attention(x))
        return self.second(x + self.down(F.gelu(self.up(x))))


class Encoders(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList([Encoder() for _ in range(layers)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Decoder(Block):
    """A block of GPT-2: norms precede. With keys and values of earlier tokens it decodes one token."""

    def forward(self, x, keys=None, values=None):
        length = x.shape[1]
        mask = None if keys is not None else torch.triu(torch.full((length, length), float("-inf"), device=x.device), 1)
        x = x + self.attention(self.first(x), keys, values, mask)
        return x + self.down(F.gelu(self.up(self.second(x)), approximate="tanh"))


class Scores(nn.Module):
    def forward(self, q, k, v):
        return torch.softmax(q @ k.transpose(-1, -2) / 8.0, -1) @ v


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(128, 256)

    def forward(self, x):
        hidden = state = x.new_zeros(1, 256)
        for step in range(x.shape[1]):
            gates = F.linear(x[:, step], self.cell.weight_ih, self.cell.bias_ih)
            gates = gates + F.linear(hidden, self.cell.weight_hh, self.cell.bias_hh)
            i, f, g, o = gates.chunk(4, 1)
            state = torch.sigmoid(f) * state + torch.sigmoid(i) * torch.tanh(g)
            hidden = torch.sigmoid(o) * torch.tanh(state)
        return hidden


def image(name):
    def make():
        import torchvision

        model = torchvision.models.get_model(name, weights=None)
        for norm in (it for it in model.modules() if isinstance(it, nn.BatchNorm2d)):
            norm.running_mean.uniform_(-0.5, 0.5)
            norm.running_var.uniform_(0.5, 2)
        return model, [torch.randn(1, 3, 224, 224)]

    return make


MODELS = {
    "attention": lambda: (Scores(), [torch.randn(1, 12, 512, 64) for _ in range(3)]),
    "encoder": lambda: (Encoder(), [torch.randn(1, 128, 768)]),
    "encoders12": lambda: (Encoders(12), [torch.randn(1, 128, 768)]),
    "prefill": lambda: (Decoder(), [torch.randn(1, 128, 768)]),
    "decode": lambda: (Decoder(), [torch.randn(1, 1, 768)] + [torch.randn(1, 12, 127, 64) for _ in range(2)]),
    "lstm": lambda: (Lstm(), [torch.randn(1, 16, 128)]),
    "resnet18": image("resnet18"),
    "mobilenet_v2": image("mobilenet_v2"),
}


def made(name):
    torch.manual_seed(0)
    model, inputs = MODELS[name]()
    return model.eval(), inputs


def imported(name, form):
    """The text of a model in a form that torch-mlir makes."""
    from torch_mlir import fx

    model, inputs = made(name)
    for module in model.modules():
        module._non_persistent_buffers_set.clear()  # torch-mlir finds only buffers of the state
    return str(fx.export_and_import(model, *inputs, output_type=form, func_name="main"))


def export(name, folder):
    model, inputs = made(name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.mlir").write_text(imported(name, "linalg-on-tensors"))
    torch.onnx.export(model, tuple(inputs), str(folder / "model.onnx"), dynamo=False, opset_version=17)
    with torch.no_grad():
        expected = model.double()(*[it.double() for it in inputs])
    for i, value in enumerate(inputs):
        np.save(folder / f"in{i}.npy", value.numpy())
    np.save(folder / "out.npy", expected.numpy().astype(np.float32))


def ours(folder, options, *more):
    """What lw-run prints about a model."""
    command = [
        options.lw_run,
        folder / "model.mlir",
        "--target",
        "x86",
        "--threads",
        options.threads,
        "--fp",
        options.fp,
    ]
    for path in sorted(folder.glob("in*.npy")):
        command += ["--input", path]
    done = subprocess.run([str(it) for it in [*command, *more]], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{folder.name}: {done.stdout}{done.stderr}")
    return done.stdout


def our_time(folder, options):
    """The median milliseconds of a call, after a check of the result."""
    check = ["--check", folder / "out.npy", "--rtol", "1e-3", "--atol", "1e-4"]
    report = ours(folder, options, *check, "--time", options.seconds, "--json")
    return json.loads(report)["measurement"]["median_ms"]


def onnxruntime_call(folder, name, inputs, threads):
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), settings, providers=["CPUExecutionProvider"])
    named = dict(zip((it.name for it in session.get_inputs()), inputs))
    return lambda: session.run(None, named)[0]


def openvino_call(folder, name, inputs, threads):
    import openvino

    settings = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"}
    request = openvino.Core().compile_model(folder / "model.onnx", "CPU", settings).create_infer_request()
    return lambda: request.infer(inputs)[0]


def torch_call(folder, name, inputs, threads):
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    model, _ = made(name)
    tensors = [torch.from_numpy(it) for it in inputs]
    return lambda: model(*tensors).numpy()


def inductor_call(folder, name, inputs, threads):
    import torch._inductor.config as config

    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    config.freezing = True  # weights are constants, which it may pack
    model = torch.compile(made(name)[0], dynamic=False)
    tensors = [torch.from_numpy(it) for it in inputs]
    return lambda: model(*tensors).numpy()


def iree_call(folder, name, inputs, threads):
    import iree.compiler
    import iree.runtime

    flags = ["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"]
    code = iree.compiler.compile_file(str(folder / "model.mlir"), target_backends=["llvm-cpu"], extra_args=flags)
    config = iree.runtime.Config("local-sync" if threads == 1 else "local-task")
    context = iree.runtime.SystemContext(config=config)
    context.add_vm_module(iree.runtime.VmModule.copy_buffer(context.instance, code))
    function = context.modules.module["main"]
    arrays = [iree.runtime.asdevicearray(config.device, it) for it in inputs]
    return lambda: np.array(function(*arrays).to_host())


def without_resources(text):
    """The text of a module with its constants in place: XLA reads no `dense_resource`. The first 4 bytes are an alignment."""
    text, _, blobs = text.partition("{-#")
    found = dict(re.findall(r'([\w.$-]+): "0x[0-9A-Fa-f]{8}([0-9A-Fa-f]*)"', blobs))
    return re.sub(r"dense_resource<([\w.$-]+)>", lambda it: f'dense<"0x{found[it[1]]}">', text)


def xla_call(folder, name, inputs, threads):
    path = folder / "model.stablehlo.mlir"
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        unfinished.write_text(without_resources(imported(name, "stablehlo")))
        unfinished.rename(path)
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=" + ("true" if threads > 1 else "false")
    os.environ.update(NPROC=str(threads), JAX_PLATFORMS="cpu")
    import jax
    from jax._src.lib import xla_client

    device = jax.local_devices()[0]
    devices = xla_client.DeviceList((device,))
    loaded = device.client.compile_and_load(path.read_text(), devices)
    arrays = [jax.device_put(it, device) for it in inputs]
    return lambda: np.asarray(loaded.execute(arrays)[0])


def tvm_call(folder, name, inputs, threads):
    os.environ["TVM_NUM_THREADS"] = str(threads)
    import onnx
    import tvm
    from tvm import relax
    from tvm.relax.frontend.onnx import from_onnx

    cpu = tvm.get_global_func("target.llvm_get_system_cpu")()
    target = tvm.target.Target({"kind": "llvm", "mcpu": cpu, "num-cores": threads})
    module = from_onnx(onnx.load(folder / "model.onnx"), keep_params_in_input=False)
    with target:
        machine = relax.VirtualMachine(relax.build(module, target), tvm.cpu())
    arrays = [tvm.runtime.tensor(it) for it in inputs]

    def call():
        result = machine["main"](*arrays)
        return (result if hasattr(result, "numpy") else result[0]).numpy()

    return call


def run_peer(peer, name, folder, threads, seconds):
    """Prints the median milliseconds of a call of a peer."""
    inputs = [np.load(path) for path in sorted(folder.glob("in*.npy"))]
    call = globals()[f"{peer}_call"](folder, name, inputs, threads)
    expected = np.load(folder / "out.npy")
    error = np.abs(call() - expected).max() / np.abs(expected).max()
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end or len(times) < 3:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    print(statistics.median(times) * 1e3 if error < 1e-3 else float("nan"))


def kernels(name, folder, options):
    """Prints how many kernels a model has here and in Inductor: those that it generates, and calls of libraries."""
    found = re.search(r"^(\d+) kernels?,", ours(folder, options, "--profile"), re.MULTILINE)
    from torch._inductor.utils import run_and_get_code

    inputs = [np.load(path) for path in sorted(folder.glob("in*.npy"))]
    _, code = run_and_get_code(inductor_call(folder, name, inputs, 1))
    body = "".join(code).split("def call(")[-1]
    generated = re.findall(r"^\s+cpp_fused_\w+\(", body, re.MULTILINE)
    calls = re.findall(r"\b(?:extern_kernels|torch\.ops\.(?:mkl|mkldnn|aten)|aten)\.\w+[\w.]*\(", body)
    print(f"| {name} | {found.group(1)} | {len(generated)} + {len(calls)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lw_run")
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(MODELS))
    table = parser.add_mutually_exclusive_group()
    table.add_argument("--peers", type=lambda text: text.split(","), default=PEERS[:3])
    table.add_argument("--kernels", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--fp", default="fast")
    parser.add_argument(
        "--keep", type=pathlib.Path, help="the folder of exported models, which are made if they are missing"
    )
    parser.add_argument("--peer", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    for word, given, known in [("model", options.only, MODELS), ("peer", options.peers, PEERS)]:
        unknown = [name for name in given if name not in known]
        if unknown:
            parser.error(f"found {word} {unknown[0]}, expected some of {', '.join(known)}")
    if shutil.which(options.lw_run) is None:
        parser.error(f"{options.lw_run} is no program, expected the path of lw-run")
    if options.peer:
        peer, name = options.peer
        return run_peer(peer, name, options.keep / name, options.threads, options.seconds)
    with tempfile.TemporaryDirectory() as temporary:
        root = options.keep or pathlib.Path(temporary)
        peers = options.peers
        heads = ["lw-run", "Inductor: generated + calls"] if options.kernels else ["lw-run", *peers, "best / lw-run"]
        print(f"| model | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
        for name in options.only:
            if not (root / name / "out.npy").exists():
                export(name, root / name)
            if options.kernels:
                kernels(name, root / name, options)
                continue
            times = {peer: [] for peer in ["lw-run", *peers]}
            for _ in range(options.rounds):
                times["lw-run"].append(our_time(root / name, options))
                for peer in peers:
                    command = [sys.executable, __file__, options.lw_run, "--peer", peer, name, "--keep", root]
                    command += ["--threads", options.threads, "--seconds", options.seconds]
                    done = subprocess.run([str(it) for it in command], capture_output=True, text=True)
                    if done.returncode != 0:
                        print(f"{name}: {peer} failed: {done.stderr.splitlines()[-1:]}", file=sys.stderr)
                    times[peer].append(float(done.stdout.split()[-1]) if done.returncode == 0 else float("nan"))
            medians = {peer: statistics.median(found) for peer, found in times.items()}
            others = [medians[peer] for peer in peers if medians[peer] == medians[peer]]
            best = min(others, default=float("nan"))
            row = " | ".join(f"{medians[peer]:.2f}" for peer in ["lw-run", *peers])
            print(f"| {name} | {row} | {best / medians['lw-run']:.2f} |", flush=True)


if __name__ == "__main__":
    main()
