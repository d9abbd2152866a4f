"""Two and four workers on loopback: they train as one does, end together, and go on exactly."""

import json
import signal
import socket
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import tensorflow as tf

from tests.support.loopback import free_ports, run_workers
from tests.support.tiny_worker import train
from tf_models.errors import InputError
from tf_models.training.checkpoints import checkpoint_path
from tf_models.training.distributed import strategies
from tf_models.training.distributed.strategies import make_strategy, rendezvous
from tf_models.training.distributed.workers import parts_of_batches
from tf_models.training.run_directory import History

SECONDS = 900  # far more than it takes, on a busy machine, too: what hangs must fail
WORKER = "tests.support.tiny_worker"


KEYS = 3  # attention layers of the tiny model: encoder, decoder, cross


def train_on(count, run_dir, kind, *stop):
    return run_workers(count, ["-m", WORKER, run_dir, kind, *map(str, stop)], SECONDS)


def weights(run_dir):
    reader = tf.train.load_checkpoint(checkpoint_path(run_dir / "checkpoints", "latest"))
    names = [name for name in reader.get_variable_to_shape_map() if name.startswith("model/")]
    return {name: reader.get_tensor(name) for name in names}


def curve(run_dir):
    rows = History(run_dir / "history.csv").rows
    return [{name: row[name] for name in row if "second" not in name} for row in rows]


@pytest.mark.processes
def test_two_workers_end_together_when_their_time_is_over(tmp_path):
    ends = train_on(2, tmp_path / "run", "timed")
    assert [end.status for end in ends] == [0, 0], ends
    rows = curve(tmp_path / "run")

    assert rows
    assert rows[-1]["learning_rate"] <= rows[0]["learning_rate"]


def check_train_as_one_does(count, kind, tmp_path):
    """Several workers come to what a single process comes to."""
    ends = train_on(count, tmp_path / "several", kind)
    assert [end.status for end in ends] == [0] * count, ends
    assert train(tmp_path / "one", kind)
    alone = weights(tmp_path / "one")
    # The gradient of a key's bias is 0, since softmax forgets what all scores share: what Adam
    # makes of it is rounding alone. Every other weight is that of one process.
    other = [
        name
        for name, value in weights(tmp_path / "several").items()
        if not np.allclose(value, alone[name], rtol=0, atol=1e-5)
    ]
    assert len(other) <= (KEYS if kind == "translator" else 0), other
    assert all(alone[name].ndim == 1 for name in other)
    for row, other in zip(*map(curve, (tmp_path / "several", tmp_path / "one")), strict=True):
        assert row == pytest.approx(other, rel=1e-4)


@pytest.mark.processes
def test_two_workers_train_as_one_does(tmp_path):
    check_train_as_one_does(2, "translator", tmp_path)


@pytest.mark.processes
def test_what_stops_one_stops_both_and_the_same_command_goes_on_exactly(tmp_path):
    run_dir, undisturbed = tmp_path / "run", tmp_path / "undisturbed"
    ends = train_on(2, run_dir, "autoencoder", "SIGINT", 1, 1)  # Ctrl-C at who does not write
    assert [end.status for end in ends] == [130, 130], ends

    # In the epoch that went on.
    chief, killed = train_on(2, run_dir, "autoencoder", "SIGKILL", 1, 5)
    assert killed.status == -signal.SIGKILL
    assert chief.status == 2, chief
    assert "another worker has ended" in chief.output.splitlines()[-1]

    for path in (run_dir, undisturbed):
        ends = train_on(2, path, "autoencoder")
        assert [end.status for end in ends] == [0, 0], ends
    assert curve(run_dir) == curve(undisturbed)
    for name, value in weights(run_dir).items():
        np.testing.assert_array_equal(value, weights(undisturbed)[name], err_msg=name)


@pytest.mark.parametrize(("replicas", "workers"), [(2, 2), (4, 2), (3, 1)])
def test_every_example_goes_to_one_replica(replicas, workers):
    batches = [tf.range(5), tf.range(5, 6), tf.range(6, 13)]  # fewer than replicas, too
    dataset = tf.data.Dataset.from_generator(
        lambda: ((one, 2 * one) for one in batches),
        output_signature=(tf.TensorSpec((None,), tf.int32),) * 2,
    )
    found = [
        list(parts_of_batches(dataset, tf.distribute.InputContext(workers, worker, replicas)))
        for worker in range(workers)
    ]
    here = replicas // workers
    for number, batch in enumerate(batches):
        parts = [part for of_one in found for part in of_one[number * here : (number + 1) * here]]
        assert len(parts) == replicas
        ids, doubled = (np.concatenate(side) for side in zip(*parts, strict=True))
        np.testing.assert_array_equal(np.sort(ids), batch)
        np.testing.assert_array_equal(doubled, 2 * ids)


def tf_config(addresses, index):
    task = {"type": "worker", "index": index}
    return json.dumps({"cluster": {"worker": addresses}, "task": task})


@pytest.mark.parametrize(
    "cluster",
    [
        "{",
        "[]",
        "[" * 100_000,
        tf_config([], 0),
        tf_config("ab", 0),
        tf_config([1, 2], 0),
        tf_config({"0": "a:1"}, 0),
        tf_config(["host", "b:1"], 0),
        tf_config(["a:1", "b:1"], True),
        tf_config(["a:1", "b:1"], 0.5),
        tf_config(["a:1", "b:1"], -1),
        tf_config(["a:1"], 1),
        tf_config(["a:1", "a:1"], 0),
        json.dumps({"cluster": {"worker": ["a:1"]}}),
        json.dumps({"cluster": {"ps": ["a:1"]}, "task": {"type": "ps", "index": 0}}),
    ],
)
def test_an_odd_tf_config_is_refused(monkeypatch, cluster):
    monkeypatch.setenv("TF_CONFIG", cluster)
    with pytest.raises(InputError, match="TF_CONFIG must be as in"):
        make_strategy()


def test_a_cluster_of_one_needs_no_network(monkeypatch):
    monkeypatch.setenv("TF_CONFIG", tf_config(["nowhere.invalid:1"], 0))
    assert make_strategy() == tf.distribute.get_strategy()


@pytest.mark.parametrize("gpus", [0, 1, 2])
def test_all_gpus_of_a_machine_train_together(monkeypatch, gpus):
    monkeypatch.delenv("TF_CONFIG", raising=False)
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind: [kind] * gpus)
    monkeypatch.setattr(tf.distribute, "MirroredStrategy", lambda: "all of them")
    expected = "all of them" if gpus > 1 else tf.distribute.get_strategy()
    assert make_strategy() == expected


def test_workers_that_have_started_meet():
    addresses = [f"localhost:{port}" for port in free_ports(3)]
    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(lambda index: rendezvous(addresses, index), range(3))) == [None] * 3


def test_a_worker_alone_waits_for_some_time_only(capsys, monkeypatch):
    monkeypatch.setattr(strategies, "QUIET_SECONDS", 0)
    here, missing = (f"localhost:{port}" for port in free_ports(2))
    with pytest.raises(InputError, match=f"no worker came at {missing} within 1 seconds; start"):
        rendezvous([here, missing], 0, seconds=1)
    assert capsys.readouterr().err == f"waiting for {missing}, at most 1 seconds\n"
    with socket.create_server(("", int(here.split(":")[1]))), pytest.raises(InputError):
        rendezvous([here, missing], 0, seconds=1)
    with pytest.raises(InputError, match="cannot listen at port 99999"):
        rendezvous(["localhost:99999", missing], 0, seconds=1)
