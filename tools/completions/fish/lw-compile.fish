complete -c lw-compile -s o -l output -d 'The output file. Its suffix decides what it is: .so a shared library, .a an archive (a static library), .o an object file, .lwb a bundle of programs for GPUs' -r -F
complete -c lw-compile -l target -d 'The target to compile for: x86 (the default), or architectures of GPUs, such as sm_80,sm_90a. A bundle has a program for each architecture, and the device determines which one runs' -r
complete -c lw-compile -l header -d 'The header file (default: beside the output, with .h)' -r -F
complete -c lw-compile -l name -d 'The name of the function main in the library: an identifier that is no keyword of C or C++ (default: the stem of the output, with _ for other characters, and kernel_ before it if it is still no name)' -r
complete -c lw-compile -l cpu -d 'The processor to generate code for, by LLVM\'s name, such as znver4 or x86-64-v3 (default: this machine\'s)' -r
complete -c lw-compile -l machine -d 'Generate code for the machine that a file describes, as lw-run --machine prints it' -r -F
complete -c lw-compile -l dim -d 'The size of the dimensions that have this name in an ONNX model. May be given several times' -r
complete -c lw-compile -l schedule -d 'A transform script, or a trace as JSON, that schedules the module (default: the default schedules)' -r -F
complete -c lw-compile -l strategies -d 'A transform script that declares strategies, which compete with those of the package. May be repeated' -r -F
complete -c lw-compile -l schedule-by -d 'How one of several strategies is chosen for a group of nests: priority takes the applicable one of the highest priority, auto the one that is predicted to be the fastest. Default: auto for x86, priority for GPUs, where it takes longer to try others' -r
complete -c lw-compile -l fp -d 'The floating-point contract of functions that state none' -r -f -a "strict\t''
reassoc\t''
fast\t''"
complete -c lw-compile -l log -d 'Log to stderr: info (phases, choices), debug (passes, schedule steps, refusals) or trace (proofs), for all or for one target, as in info,legality=trace. Default: $LOOPWRIGHT_LOG, or off' -r
complete -c lw-compile -l trace-out -d 'Write all spans and events, with their times, to a file that Perfetto and chrome://tracing open' -r -F
complete -c lw-compile -l require-vector -d 'Report an error if a vectorized loop has no vector form'
complete -c lw-compile -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lw-compile -s V -l version -d 'Print version'
