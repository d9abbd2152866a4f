"""The benchmarks' workers without processes of their own."""

import pickle

from research.benchmarks.workers import Measurement


class WorkerInThisProcess:
    """Replaces `Worker`. As with processes, arguments and results are pickled."""

    def __init__(self, name, make, *arguments, threads):
        make, arguments = pickle.loads(pickle.dumps((make, arguments)))
        self.thing = make(*arguments)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def ask(self, method, *arguments):
        return pickle.loads(pickle.dumps(getattr(self.thing, method)(*arguments)))

    def measure(self, method, *arguments, wait):
        return Measurement(self.ask(method, *arguments), 0.01)

    def close(self):
        pass
