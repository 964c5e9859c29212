#!/usr/bin/env python3
"""Times single layers beside ONNX Runtime and PyTorch, and prints those first that are the slowest in comparison.

    benches/layers.py LW_RUN [--only conv_dw3,softmax_row] [--threads 1] [--seconds 0.15] [--keep FOLDER]

Needs from PyPI: torch, onnx, onnxruntime, numpy. Each layer is an ONNX model with random weights, which `lw-run --fp fast` and ONNX
Runtime run; PyTorch runs eagerly. Each result of `lw-run` is compared with PyTorch's. Printed are the median microseconds of a call.
Calls of PyTorch and ONNX Runtime include some microseconds of Python. It is a search for layers that are far behind, not a
benchmark: the times are not taken in turn, and most layers are small.
"""

import argparse, json, pathlib, statistics, subprocess, sys, tempfile, time, warnings

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

R = torch.randn
CASES = {}


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *x):
        return self.function(*x)


class First(nn.Module):
    """The first result of a layer."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, *x):
        return self.layer(*x)[0]


def case(name, layer, *inputs):
    CASES[name] = (layer if isinstance(layer, nn.Module) else Function(layer), inputs)


torch.manual_seed(0)
case("bmm_qk_128x64", lambda q, k: q @ k.transpose(1, 2), R(12, 128, 64), R(12, 128, 64))
case("bmm_qk_1x64_kv512", lambda q, k: q @ k.transpose(1, 2), R(12, 1, 64), R(12, 512, 64))
case("bmm_qk_8x64_kv512", lambda q, k: q @ k.transpose(1, 2), R(12, 8, 64), R(12, 512, 64))
case("bmm_pv_128", lambda p, v: p @ v, R(12, 128, 128), R(12, 128, 64))
case("bmm_pv_1x512", lambda p, v: p @ v, R(12, 1, 512), R(12, 512, 64))
case("mm_args_256", lambda a, b: a @ b, R(256, 256), R(256, 256))
case("mm_nt_args_256", lambda a, b: a @ b.T, R(256, 256), R(256, 256))
case("mm_tn_args_256", lambda a, b: a.T @ b, R(256, 256), R(256, 256))
case("mm_nt_args_8x1024x1024", lambda a, b: a @ b.T, R(8, 1024), R(1024, 1024))
case("mm_args_8x1024x1024", lambda a, b: a @ b, R(8, 1024), R(1024, 1024))
case("mm_small_16", lambda a, b: a @ b, R(16, 16), R(16, 16))
case("mm_batch_small", lambda a, b: a @ b, R(256, 8, 8), R(256, 8, 8))
case("mm_batch_4x4", lambda a, b: a @ b, R(1000, 4, 4), R(1000, 4, 4))
case("outer", lambda a, b: a[:, None] * b[None, :], R(512), R(512))
case("mv", lambda a, b: a @ b, R(1024, 1024), R(1024))
case("vm", lambda a, b: b @ a, R(1024, 1024), R(1024))
case("einsum_bhid", lambda a, b: torch.einsum("bihd,bjhd->bhij", a, b), R(2, 64, 8, 32), R(2, 64, 8, 32))
case("conv1x1", nn.Conv2d(64, 128, 1), R(1, 64, 56, 56))
case("conv1x1_7x7", nn.Conv2d(512, 512, 1), R(1, 512, 7, 7))
case("conv3x3_s2", nn.Conv2d(64, 128, 3, 2, 1), R(1, 64, 56, 56))
case("conv7x7_s2", nn.Conv2d(3, 64, 7, 2, 3), R(1, 3, 224, 224))
case("conv5x5", nn.Conv2d(32, 32, 5, padding=2), R(1, 32, 28, 28))
case("conv_dw3", nn.Conv2d(128, 128, 3, padding=1, groups=128), R(1, 128, 56, 56))
case("conv_dw5_s2", nn.Conv2d(96, 96, 5, 2, 2, groups=96), R(1, 96, 56, 56))
case("conv_dw7", nn.Conv2d(96, 96, 7, padding=3, groups=96), R(1, 96, 56, 56))
case("conv_group4", nn.Conv2d(64, 64, 3, padding=1, groups=4), R(1, 64, 28, 28))
case("conv_dil2", nn.Conv2d(64, 64, 3, padding=2, dilation=2), R(1, 64, 28, 28))
case("conv1d", nn.Conv1d(80, 512, 3, padding=1), R(1, 80, 300))
case("conv1d_s2", nn.Conv1d(512, 512, 3, 2, 1), R(1, 512, 300))
case("conv1d_k10_s5", nn.Conv1d(1, 512, 10, 5), R(1, 1, 16000))
case("conv1d_dw31", nn.Conv1d(256, 256, 31, padding=15, groups=256), R(1, 256, 200))
case("conv3d", nn.Conv3d(16, 16, 3, padding=1), R(1, 16, 16, 28, 28))
case("convT2d", nn.ConvTranspose2d(64, 32, 4, 2, 1), R(1, 64, 28, 28))
case("convT1d", nn.ConvTranspose1d(128, 64, 16, 8, 4), R(1, 128, 100))
case("patch16", nn.Conv2d(3, 768, 16, 16), R(1, 3, 224, 224))
case("conv_b8", nn.Conv2d(32, 64, 3, padding=1), R(8, 32, 28, 28))
case("maxpool3s2", nn.MaxPool2d(3, 2, 1), R(1, 64, 112, 112))
case("maxpool2", nn.MaxPool2d(2), R(1, 64, 112, 112))
case("avgpool3", nn.AvgPool2d(3, 1, 1), R(1, 64, 56, 56))
case("gap", lambda x: x.mean((2, 3)), R(8, 512, 7, 7))
case("gap_big", lambda x: x.mean((2, 3)), R(1, 64, 112, 112))
case("adaptive", nn.AdaptiveAvgPool2d(4), R(1, 64, 16, 16))
case("layernorm", nn.LayerNorm(768), R(128, 768))
case("layernorm_small", nn.LayerNorm(32), R(4096, 32))
case("groupnorm", nn.GroupNorm(32, 256), R(1, 256, 32, 32))
case("instnorm", nn.InstanceNorm2d(64), R(1, 64, 56, 56))
case("bn_eval", nn.BatchNorm2d(64).eval(), R(1, 64, 56, 56))
case("rmsnorm", lambda x: x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6), R(128, 768))
case("l2norm_dim1", lambda x: x / torch.sqrt((x * x).sum(1, keepdim=True) + 1e-6), R(8, 128, 400))
case("softmax_row", lambda x: torch.softmax(x, -1), R(12, 128, 128))
case("softmax_dim1", lambda x: torch.softmax(x, 1), R(8, 128, 400))
case("softmax_wide", lambda x: torch.softmax(x, -1), R(4, 50257))
case("logsoftmax", lambda x: torch.log_softmax(x, -1), R(64, 1000))
case("gelu", nn.GELU(), R(128, 3072))
case("gelu_tanh", nn.GELU("tanh"), R(128, 3072))
case("silu", nn.SiLU(), R(128, 3072))
case("mish", nn.Mish(), R(128, 3072))
case("hardswish", nn.Hardswish(), R(128, 3072))
case("elu", nn.ELU(), R(128, 3072))
case("tanh", torch.tanh, R(128, 3072))
case("sigmoid", torch.sigmoid, R(128, 3072))
case("exp", torch.exp, R(128, 3072))
case("log", lambda x: torch.log(x.abs() + 1), R(128, 3072))
case("sin", torch.sin, R(128, 3072))
case("erf", torch.erf, R(128, 3072))
case("pow3", lambda x: x**3, R(128, 3072))
case("pow_f", lambda x, y: x.abs() ** y, R(128, 3072), R(128, 3072))
case("sqrt", lambda x: torch.sqrt(x.abs()), R(128, 3072))
case("add_row", lambda x, y: x + y, R(128, 3072), R(3072))
case("add_col", lambda x, y: x + y, R(128, 3072), R(128, 1))
case("where", lambda x, y: torch.where(x > 0, x, y), R(128, 3072), R(128, 3072))
case("clip", lambda x: x.clamp(-1, 1), R(128, 3072))
case("round", torch.round, R(128, 3072))
case("cast_i", lambda x: x.to(torch.int32), R(128, 3072))
case("sum_all", lambda x: x.sum(), R(512, 1024))
case("sum_last", lambda x: x.sum(-1), R(512, 1024))
case("sum_first", lambda x: x.sum(0), R(512, 1024))
case("sum_mid", lambda x: x.sum(1), R(16, 64, 256))
case("max_last", lambda x: x.amax(-1), R(512, 1024))
case("argmax", lambda x: x.argmax(-1), R(64, 1000))
case("argmax_dim1", lambda x: x.argmax(1), R(1, 21, 128, 128))
case("var", lambda x: x.var(-1), R(512, 1024))
case("prod", lambda x: x.prod(-1), R(512, 1024))
case("cumsum", lambda x: x.cumsum(-1), R(128, 1024))
case("transpose2d", lambda x: x.T.contiguous() * 1.0, R(1024, 1024))
case("permute_0213", lambda x: x.permute(0, 2, 1, 3) * 1.0, R(2, 128, 12, 64))
case("permute_0231", lambda x: x.permute(0, 2, 3, 1) * 1.0, R(1, 64, 56, 56))
case("permute_0312", lambda x: x.permute(0, 3, 1, 2) * 1.0, R(1, 56, 56, 64))
case("concat_ch", lambda x, y: torch.cat([x, y], 1), R(1, 64, 56, 56), R(1, 64, 56, 56))
case("concat_last", lambda x, y: torch.cat([x, y], -1), R(128, 100), R(128, 60))
case("split_mul", lambda x: (lambda a, b: a * torch.sigmoid(b))(*x.chunk(2, -1)), R(128, 2048))
case("slice_s2", lambda x: x[:, ::2] * 1.0, R(128, 2048))
case("pad", lambda x: F.pad(x, (1, 1, 1, 1)), R(1, 64, 56, 56))
case("pad_reflect", lambda x: F.pad(x, (3, 3, 3, 3), mode="reflect"), R(1, 64, 56, 56))
case("tile", lambda x: x.repeat(4, 1), R(128, 256))
case("expand_mul", lambda x, y: x[:, None] * y[None], R(64, 256), R(32, 256))
case("embedding", nn.Embedding(30000, 256), torch.randint(0, 30000, (128,)))
case("gather_dim1", lambda x, i: torch.gather(x, 1, i), R(128, 1024), torch.randint(0, 1024, (128, 64)))
case("index_sel", lambda x, i: x[:, i], R(128, 1024), torch.randint(0, 1024, (100,)))
case("topk5", lambda x: torch.topk(x, 5)[0], R(64, 1000))
case("sort", lambda x: torch.sort(x)[0], R(64, 1000))
case("onehot", lambda i: F.one_hot(i, 100).float(), torch.randint(0, 100, (256,)))
case("tril_mask", lambda x: x.masked_fill(torch.ones(256, 256).triu(1).bool(), -1e9), R(8, 256, 256))
case("scatter", lambda x, i, s: x.scatter(1, i, s), R(128, 256), torch.randint(0, 256, (128, 64)), R(128, 64))
case("up_nearest", lambda x: F.interpolate(x, scale_factor=2), R(1, 64, 28, 28))
case("up_bilinear", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False), R(1, 64, 28, 28))
case("up_bicubic", lambda x: F.interpolate(x, scale_factor=2, mode="bicubic", align_corners=False), R(1, 16, 28, 28))
case("pixelshuffle", nn.PixelShuffle(2), R(1, 64, 56, 56))
case(
    "gridsample",
    lambda x, g: F.grid_sample(x, g, align_corners=False),
    R(1, 16, 32, 32),
    torch.rand(1, 32, 32, 2) * 2 - 1,
)
case("lstm", First(nn.LSTM(64, 128, batch_first=True)), R(1, 32, 64))
case("lstm_b8", First(nn.LSTM(64, 128, batch_first=True)), R(8, 32, 64))
case("gru", First(nn.GRU(64, 128, batch_first=True)), R(1, 32, 64))
case("bilstm", First(nn.LSTM(64, 64, bidirectional=True, batch_first=True)), R(1, 32, 64))
case(
    "sdpa",
    lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
    R(1, 8, 128, 32),
    R(1, 8, 128, 32),
    R(1, 8, 128, 32),
)
case(
    "sdpa_causal",
    lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
    R(1, 8, 128, 64),
    R(1, 8, 128, 64),
    R(1, 8, 128, 64),
)
case("glu_ffn", nn.Sequential(nn.Linear(256, 1024), nn.GELU(), nn.Linear(1024, 256)), R(64, 256))
case("mlp_tab", nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1)), R(256, 30))
case("mlp_tab1", nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1)), R(1, 30))
case("lin_o1", nn.Linear(512, 1), R(256, 512))
case("lin_o3", nn.Linear(512, 3), R(256, 512))
case("lin_k3", nn.Linear(3, 256), R(1024, 3))
case("cosine", lambda a, b: F.cosine_similarity(a, b), R(256, 512), R(256, 512))
case("pdist", lambda a, b: ((a[:, None] - b[None]) ** 2).sum(-1), R(64, 32), R(128, 32))
case(
    "rope",
    lambda x, c, s: x * c + torch.cat([-x[..., 32:], x[..., :32]], -1) * s,
    R(1, 12, 128, 64),
    R(128, 64),
    R(128, 64),
)
case("fft_like_cos", lambda x: torch.cos(x) * torch.sin(x), R(128, 1024))
case("se_block", lambda x, w: x * torch.sigmoid((x.mean((2, 3)) @ w))[:, :, None, None], R(1, 64, 56, 56), R(64, 64))
case("mean_std", lambda x: (x - x.mean(1, keepdim=True)) / (x.std(1, keepdim=True) + 1e-5), R(256, 500))
case("i64_add", lambda x, y: x + y, torch.randint(0, 99, (128, 1024)), torch.randint(0, 99, (128, 1024)))
case("int_div", lambda x: x // 7, torch.randint(0, 9999, (128, 1024)))
case("u8_to_f", lambda x: x.float() / 255, torch.randint(0, 255, (1, 224, 224, 3), dtype=torch.uint8))
case(
    "preproc",
    lambda x: ((x.float() / 255) - 0.45).permute(0, 3, 1, 2) / 0.22,
    torch.randint(0, 255, (1, 224, 224, 3), dtype=torch.uint8),
)
case("linear_2x768x3072", nn.Linear(768, 3072), R(2, 768))
case("linear_8x768x3072", nn.Linear(768, 3072), R(8, 768))
case("linear_16x1024x1024", nn.Linear(1024, 1024), R(16, 1024))
case("linear_33x1024x1024", nn.Linear(1024, 1024), R(33, 1024))
case("conv_gn", nn.Sequential(nn.Conv2d(64, 64, 1), nn.GroupNorm(8, 64), nn.SiLU()), R(1, 64, 28, 28))
case("conv_in", nn.Sequential(nn.Conv2d(64, 64, 1), nn.InstanceNorm2d(64), nn.ReLU()), R(1, 64, 28, 28))
case("conv_sum", lambda x, y: (torch.tanh(x @ y)).sum(), R(256, 256), R(256, 256))
case(
    "relu_gap",
    nn.Sequential(nn.Conv2d(64, 512, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10)),
    R(8, 64, 7, 7),
)


def median(call, seconds):
    """The median microseconds of a call."""
    call()
    times, end = [], time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def measure(options, name, folder):
    import onnxruntime

    layer, inputs = CASES[name]
    layer.eval()
    model = folder / "model.onnx"
    with torch.no_grad():
        torch.onnx.export(layer, inputs, str(model), dynamo=False, opset_version=17)
        theirs = {"torch": median(lambda: layer(*inputs), options.seconds)}
        expected = layer(*inputs).numpy()
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = options.threads
    session = onnxruntime.InferenceSession(str(model), settings)
    feed = {it.name: value.numpy() for it, value in zip(session.get_inputs(), inputs)}
    theirs["onnxruntime"] = median(lambda: session.run(None, feed), options.seconds)
    command = [options.lw_run, model, "--target", "x86", "--fp", "fast", "--json", "--time", options.seconds]
    command += ["--threads", options.threads, "--rtol", "1e-3", "--atol", "1e-4"]
    for i, value in enumerate(inputs):
        np.save(folder / f"in{i}.npy", value.numpy())
        command += ["--input", folder / f"in{i}.npy"]
    np.save(folder / "out.npy", expected)
    command += ["--check", folder / "out.npy"]
    try:
        done = subprocess.run([str(it) for it in command], capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"layers.py: error: {options.lw_run}: {error.strerror}")
    if done.returncode:
        print(f"layers.py: error: {name}: {(done.stderr or done.stdout).strip()}", file=sys.stderr)
        return None
    ours = json.loads(done.stdout)["measurement"]["median_ms"] * 1e3
    return {"lw-run": ours, **theirs, "ratio": min(theirs.values()) / ours}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lw_run")
    parser.add_argument("--only", type=lambda names: names.split(","))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.15)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    for name in options.only or []:
        if name not in CASES:
            sys.exit(f"layers.py: error: there is no layer {name!r}, expected some of {', '.join(CASES)}")
    warnings.simplefilter("ignore")
    torch.set_num_threads(options.threads)
    rows, failed = [], False
    with tempfile.TemporaryDirectory() as temporary:
        for name in options.only or CASES:
            folder = (options.keep or pathlib.Path(temporary)) / name
            folder.mkdir(parents=True, exist_ok=True)
            row = measure(options, name, folder)
            failed |= row is None
            if row:
                rows.append((name, row))
    print("| layer | lw-run | onnxruntime | torch | best / lw-run |\n|---|---|---|---|---|")
    for name, row in sorted(rows, key=lambda it: it[1]["ratio"]):
        times = " | ".join(f"{row[key]:.1f}" for key in ("lw-run", "onnxruntime", "torch"))
        print(f"| {name} | {times} | {row['ratio']:.2f} |")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
