complete -c lw-import -s o -l output -d 'The file for the module: .mlirbc is MLIR bytecode, all others are text (default: text on stdout)' -r -F
complete -c lw-import -l dim -d 'The size of the dimensions that have this name in the model. May be given several times' -r
complete -c lw-import -l log -d 'Log to stderr: info (phases, choices), debug (passes, schedule steps, refusals) or trace (proofs), for all or for one target, as in info,legality=trace. Default: $LOOPWRIGHT_LOG, or off' -r
complete -c lw-import -l trace-out -d 'Write all spans and events, with their times, to a file that Perfetto and chrome://tracing open' -r -F
complete -c lw-import -l locations -d 'Print locations, which are the names of the nodes, in the text'
complete -c lw-import -l list-ops -d 'Print the ops that are supported, and stop'
complete -c lw-import -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lw-import -s V -l version -d 'Print version'
