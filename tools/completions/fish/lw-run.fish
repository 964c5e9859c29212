complete -c lw-run -l entry -d 'The function to run. Without --schedule, only what it uses is compiled. Default: main; --compile-to and --print-schedule show the whole module by default' -r
complete -c lw-run -l target -d 'The target to compile for: x86, or the architecture of a GPU, such as sm_80 or sm_90a. Without a target, the module is interpreted' -r
complete -c lw-run -l cpu -d 'The processor to generate code for, by LLVM\'s name, such as znver4 or x86-64-v3 (default: this machine\'s)' -r
complete -c lw-run -l machine -d 'Generate code for the machine that a file describes. Without a file and without a model: print the description of this machine, which is measured once, and stop; what predicted times depend on goes to stderr. With the --target of a GPU, that is printed of the GPU' -r -F
complete -c lw-run -l device -d 'The device to run on: interpreter, cpu, cuda:N (a GPU, with NVIDIA\'s driver) or emulator (of GPUs, on the cpu). Default: the cpu with --target x86; with a GPU target, cuda:0 if there is one, else the emulator; otherwise the interpreter' -r
complete -c lw-run -l schedule -d 'A transform script, or a trace as JSON, that schedules the module in loop form' -r -F
complete -c lw-run -l strategies -d 'A transform script that declares strategies, which compete with those of the package. May be repeated' -r -F
complete -c lw-run -l schedule-by -d 'How one of several strategies is chosen for a group of nests: priority takes the applicable one of the highest priority, auto the one that is predicted to be the fastest. Default: auto for x86, priority for GPUs, where it takes longer to try others' -r
complete -c lw-run -l cache -d 'The folder that caches machine code, indexed by all inputs of its compilation. Processes may share it. Default: $LOOPWRIGHT_CACHE (empty: no cache), or $XDG_CACHE_HOME/loopwright, or ~/.cache/loopwright' -r -F
complete -c lw-run -l cache-limit -d 'The most MiB that the cache takes (default: 1024); what was used least recently is removed' -r
complete -c lw-run -l threads -d 'The number of threads for parallel loops (default: one a core)' -r
complete -c lw-run -l time -d 'Run the function repeatedly for this time, and report the median time. On a cpu or a GPU' -r
complete -c lw-run -l dump-graph -d 'Write a picture of the kernels of the model, and of the values that flow between them, to a file. With --profile on a cpu it shows their times' -r -F
complete -c lw-run -l fp -d 'The floating-point contract of functions that state none. With `reassoc`, a schedule may change the order of sums; with `fast`, a product and a sum may also be rounded once, the distributive law may be used, and a quotient may become a product with the reciprocal' -r -f -a "strict\t''
reassoc\t''
fast\t''"
complete -c lw-run -l verify-each -d 'Run the interpreter before and after each pass, on generated inputs, and fail after the first pass that changes what a public function computes' -r -f -a "numeric\t''"
complete -c lw-run -l input -d 'An argument of the function, in order: a file, or `random[:SEED]` (floats from -1 to 1, integers 0 or 1), ones, or iota (0, 1, 2, ..). If one of these three is the only --input, it generates all arguments. With NAME= it is for the argument that has this name in the model. Default with --time, and with --profile on a cpu: random:0' -r
complete -c lw-run -l dim -d 'The size of the dimensions that have this name in an ONNX model. May be given several times' -r
complete -c lw-run -l output -d 'The file for a result, in order' -r -F
complete -c lw-run -l check -d 'The expected value of a result, in order. Floats pass if max|error| <= atol + rtol * max|reference|, integers and booleans if max|error| <= atol, so without --atol they must be equal' -r -F
complete -c lw-run -l rtol -d 'The relative tolerance of --check, for floats' -r
complete -c lw-run -l atol -d 'The absolute tolerance of --check' -r
complete -c lw-run -l compile-from -d 'The phase of the module, as --compile-to has printed it: input, linalg, loop, schedule, vector, llvm, gpu' -r
complete -c lw-run -l compile-to -d 'Print the module after this phase, or its LLVM IR or assembly, and stop: input, linalg, loop, schedule, vector, llvm, gpu, ptx, llvm-ir, assembly' -r
complete -c lw-run -l without -d 'A pass to leave out, to study its effect. May be given several times' -r
complete -c lw-run -l execute -d 'The phase whose IR the interpreter runs (default: the last that it can run, for the target): input, linalg, loop, schedule, vector, gpu' -r
complete -c lw-run -l seed -d 'The seed of the random orders in which the interpreter runs unordered work' -r
complete -c lw-run -l max-iterations -d 'More loop iterations than this in one nest are an error' -r
complete -c lw-run -l log -d 'Log to stderr: info (phases, choices), debug (passes, schedule steps, refusals) or trace (proofs), for all or for one target, as in info,legality=trace. Default: $LOOPWRIGHT_LOG, or off' -r
complete -c lw-run -l trace-out -d 'Write all spans and events, with their times, to a file that Perfetto and chrome://tracing open' -r -F
complete -c lw-run -l no-schedule -d 'Do not schedule the loops. Without this and without --schedule, code for a target uses its default schedules'
complete -c lw-run -l dump-strategy -d 'Print to stderr which default schedule each group of nests gets, and why the others do not apply'
complete -c lw-run -l print-schedule -d 'Print the default schedules of all functions, as a transform script, and stop'
complete -c lw-run -l no-cache -d 'Compile in each run: machine code is neither taken from a cache nor kept'
complete -c lw-run -l profile -d 'Print a profile of each kernel: on a cpu a table with time, rates, the part of the machine\'s limit and the ops that it was made of; on the emulator instructions, bytes, bank conflicts, occupancy; on a GPU the registers and the memory that it uses. On a cpu the function runs repeatedly for the time of --time, or half a second'
complete -c lw-run -l require-vector -d 'Report an error if a vectorized loop has no vector form'
complete -c lw-run -l check-bounds -d 'Compiled code ends with an error that names the location before it accesses memory out of bounds, and where an assertion (cf.assert) does not hold'
complete -c lw-run -l json -d 'Report as JSON'
complete -c lw-run -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lw-run -s V -l version -d 'Print version'
