"""What the results rest on: experiments, measurements and benchmarks. The library needs none."""
