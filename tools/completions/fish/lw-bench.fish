complete -c lw-bench -l only -d 'The workloads to measure, such as W1s,W8b (default: all workloads that --list prints)' -r
complete -c lw-bench -l threads -d 'The number of threads for parallel loops' -r
complete -c lw-bench -l seconds -d 'The time that each workload, and each limit, runs in a round' -r
complete -c lw-bench -l rounds -d 'The number of rounds; the result is the median of all rounds' -r
complete -c lw-bench -l fp -d 'The floating-point contract of the workloads. With `reassoc`, a schedule may change the order of sums; with `fast`, a product and a sum may also be rounded once, the distributive law may be used, and a quotient may become a product with the reciprocal' -r -f -a "strict\t''
reassoc\t''
fast\t''"
complete -c lw-bench -l compile -d 'Compile a workload twice, and print the seconds of each' -r
complete -c lw-bench -l log -d 'Log to stderr: info (phases, choices), debug (passes, schedule steps, refusals) or trace (proofs), for all or for one target, as in info,legality=trace. Default: $LOOPWRIGHT_LOG, or off' -r
complete -c lw-bench -l trace-out -d 'Write all spans and events, with their times, to a file that Perfetto and chrome://tracing open' -r -F
complete -c lw-bench -l json -d 'Report as JSON'
complete -c lw-bench -l list -d 'Print the workloads without measuring'
complete -c lw-bench -l protocol -d 'Build and measure as requested by lines on stdin, with one line of JSON as the answer to each. Uses $PEERS_THREADS threads, and inputs from the folder $PEERS_IN'
complete -c lw-bench -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lw-bench -s V -l version -d 'Print version'
