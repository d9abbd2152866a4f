# %% [markdown]
# # 09 Autoencoder – Einführung
#
# Lies daneben: „Einführung in die Welt der Autoencoder" im
# [Data Science Blog](https://data-science-blog.com/) (hier: der Artikel), alle Abschnitte. Dieses
# Notebook ist deutsch, weil sein Artikel deutsch ist; die englischen Fachwörter stehen daneben.
#
# Du siehst
#
# 1. wie vier Zahlen durch zwei passen und ihre Codes Epoche für Epoche in die Ecken wandern;
# 2. was ein Flaschenhals kostet, und wie viel weniger er kostet als Hauptkomponenten;
# 3. je ein kleines Beispiel: Komprimierung, Entrauschen, Anomalie-Erkennung, Sequenz zu Sequenz.
#
# Es dauert etwa 30 Sekunden auf zwei Kernen eines Laptop-Prozessors. Hält deine Änderung eine Zelle
# an einem `assert` an, setze ein `#` davor.
#
# [08 The Transformer as classifier](08_classifier.ipynb) · [10 Lecture 7](10_lecture_7.ipynb)

# %%
import importlib.util
import subprocess
import sys
from pathlib import Path

REPOSITORY = "<repository>"
if importlib.util.find_spec("tf_models") is None:
    here = Path(globals().get("__file__", "notebook")).resolve()
    checkouts = [folder for folder in here.parents if (folder / "tf_models").is_dir()]
    package = next(map(str, checkouts), f"git+{REPOSITORY}")
    subprocess.run([sys.executable, "-m", "pip", "install", package], check=True)
    importlib.invalidate_caches()

from tf_models.command_line import quiet_tensorflow

with quiet_tensorflow():
    import keras
    import tensorflow as tf

keras.utils.set_random_seed(1)

# %%
import io
from itertools import permutations

import numpy as np
from PIL import Image

from tf_models.autoencoders.autoencoder import Autoencoder, ReconstructionLoss
from tf_models.autoencoders.networks import dense_decoder, dense_encoder

# %%
from tf_models.data.images.batches import corrupt
from tf_models.data.images.corruption import Corruption
from tf_models.data.images.loading import load_images
from tf_models.plotting.image_grid import plot_image_grid
from tf_models.plotting.lines import plot_lines
from tf_models.plotting.notebook import show
from tf_models.plotting.points import plot_code_trajectories
from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder
from tf_models.search.search import GreedySearch, run
from tf_models.tasks.autoencoding.anomalies import reconstruction_errors, roc
from tf_models.tasks.autoencoding.pca import pca_errors
from tf_models.training.optimizers import FusedAdam

# %% [markdown] tags=["row-59"]
# ## Encoder und Decoder
#
# | deutsch | englisch | Zeichen |
# |---|---|---|
# | Eingangs-, Ausgangssignal | input, reconstruction | $x$, $\hat x = r$ |
# | Kodierer, Dekodierer | encoder, decoder | $f$, $g$ |
# | versteckte Schicht, Code | hidden layer, code | $h$ |
# | Gewichte, Bias | weights, bias | $W$, $B$; $W'$, $B'$ (im Artikel $\hat W$, $\hat B$) |
# | Aktivierungsfunktion | activation function | $s$, $s'$ (im Artikel $\sigma$, $\hat\sigma$) |
# | Verlustfunktion | loss function | $L$ |
# | mittlere quadratische Abweichung | mean squared error, MSE | |
# | Fehlerrückführung | backpropagation | |
# | Dimensionsreduktion, Flaschenhals | dimensionality reduction, bottleneck | |
#
# $$h = s(Wx + B), \qquad r = s'(W'h + B'), \qquad L = \lVert x - r \rVert^2$$
#
# Von Hand gerechnet, neben der Bibliothek. Die Eingänge sind die Zahlen 0 bis 3, „1 aus n" (one
# hot). Sie stehen in Zeilen, deshalb steht $W$ rechts.


# %% tags=["row-59"]
def s(a):
    return 1 / (1 + np.exp(-a))


x = np.eye(4, dtype=np.float32)  # (4, 4), eine Zahl je Zeile
encoder = dense_encoder((4,), 2, code_activation="sigmoid")
decoder = dense_decoder((4,), 2, output_activation="sigmoid")
(W, B), (V, C) = encoder.get_weights(), decoder.get_weights()  # V und C sind W' und B'
h = s(x @ W + B)  # (4, 2)
r = s(h @ V + C)  # (4, 4)

np.testing.assert_allclose(encoder(x), h, atol=1e-6)
np.testing.assert_allclose(decoder(encoder(x)), r, atol=1e-6)

# %% [markdown] tags=["row-59"]
# Der Artikel setzt MSE und $\lVert x - r \rVert^2$ gleich. Genau genommen ist das zweite die Summe,
# nicht das Mittel. Das Minimum ist dasselbe; nur die Lernrate (learning rate) bedeutet etwas
# anderes. Auch die Bibliothek summiert.

# %% tags=["row-59"]
summe, mittel = ReconstructionLoss("mse").call(x, r), keras.losses.mean_squared_error(x, r)


def german(number, form="g"):  # 1,234.5 wird zu 1.234,5
    return format(number, form).translate({ord("."): ",", ord(","): "."})


print(f"Summe {german(summe[0], '.3f')}, Mittel {german(mittel[0], '.3f')}")
print(f"Das ist das {summe[0] / mittel[0]:.0f}-Fache.")
np.testing.assert_allclose(summe, 4 * mittel, rtol=1e-5)

# %% [markdown]
# ## Backpropagation von Hand
#
# Fehlerrückführung ist die Kettenregel, von hinten nach vorn. Mit der Ableitung
# $\frac{ds}{da} = s(1-s)$ der Sigmoidfunktion, und mit $V$ und $C$ für $W'$ und $B'$:
#
# $$\delta_r = 2(r - x) \odot r(1 - r), \qquad \delta_h = (\delta_r V^T) \odot h(1 - h)$$
#
# Die Gradienten der Gewichte sind $h^T\delta_r$ und $x^T\delta_h$. TensorFlow findet dieselben.


# %%
def gradients(W, B, V, C):
    h = s(x @ W + B)
    r = s(h @ V + C)
    d_r = 2 * (r - x) * r * (1 - r)
    d_h = (d_r @ np.swapaxes(V, -1, -2)) * h * (1 - h)
    of_decoder = np.swapaxes(h, -1, -2) @ d_r, d_r.sum(axis=-2, keepdims=True)
    return x.T @ d_h, d_h.sum(axis=-2, keepdims=True), *of_decoder


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(ReconstructionLoss("mse").call(x, decoder(encoder(x))))
of_library = [v.value for v in (*encoder.trainable_variables, *decoder.trainable_variables)]
for mine, its in zip(gradients(W, B, V, C), tape.gradient(loss, of_library), strict=True):
    np.testing.assert_allclose(mine.reshape(its.shape), its, atol=1e-5)

# %% [markdown]
# Damit lässt sich schon trainieren: 100 Netze auf einmal, jedes mit eigenem Zufallsstart, 2000
# Schritte Gradientenabstieg (gradient descent).
#
# *Zu sehen:* Alle 100 geben alle vier Zahlen richtig wieder. Bei den meisten, aber nicht bei allen,
# liegen die Codes am Ende in den vier Ecken des Quadrats. *Zum Ändern:* die Zahl der Schritte.

# %%
random = np.random.default_rng(1)
shapes = ((4, 2), (1, 2), (2, 4), (1, 4))
nets = [random.uniform(-1, 1, (100, *shape)) for shape in shapes]
for _ in range(2000):
    for weight, gradient in zip(nets, gradients(*nets), strict=True):
        weight -= 5 * gradient
codes = s(x @ nets[0] + nets[1])  # (100, 4, 2)
decoded = s(codes @ nets[2] + nets[3]).argmax(axis=-1)  # (100, 4)
right = np.mean(np.all(decoded == np.arange(4), axis=-1))
corners = np.mean(np.all(np.abs(codes - codes.round()) < 0.1, axis=(1, 2)))
print(f"alle vier richtig: {right:.0%} der Netze; alle Codes in einer Ecke: {corners:.0%}")
assert right >= 0.98
assert 0.7 <= corners < 1

# %% [markdown] tags=["row-60"]
# ## Vier Zahlen durch zwei
#
# Das Beispiel des Artikels ist $4 \to 2 \to 4$: Aus 0, 1, 2, 3 sollen 00, 01, 10, 11 werden. Jetzt
# trainiert die Bibliothek, und nach jeder Epoche (epoch) schauen wir auf die Codes.
#
# *Zu sehen:* Die Codes beginnen nah beieinander und trennen sich. Auf 0 und 1 gerundet ist nach
# spätestens 60 Epochen jeder ein anderes Paar. *Zum Ändern:* der Startwert (seed). Meist bekommen
# die Zahlen andere Ecken als im Artikel: Nichts in der Verlustfunktion bevorzugt eine Reihenfolge.
# Manchmal bleibt ein Code auf halbem Weg liegen, wie bei einigen der 100 Netze; mit Rauschen auf
# dem Code (`code_noise=1.0` im Encoder) geht jeder bis in die Ecke.

# %% tags=["row-60"]
keras.utils.set_random_seed(10)
model = Autoencoder(
    dense_encoder((4,), 2, code_activation="sigmoid"),
    dense_decoder((4,), 2, output_activation="sigmoid"),
)
model.compile(keras.optimizers.SGD(20.0), ReconstructionLoss("mse"), steps_per_execution=10)
walk = [model.encoder(x).numpy()]
remember = keras.callbacks.LambdaCallback(
    on_epoch_end=lambda epoch, logs: walk.append(model.encoder(x).numpy())
)
data = np.tile(x, (10, 1))  # eine Epoche: 10 Schritte, alle vier Zahlen in jedem
model.fit(data, data, batch_size=4, epochs=60, shuffle=False, callbacks=[remember], verbose=0)
walk = np.array(walk)  # (61, 4, 2)

# %% tags=["row-60"]
names = [" ".join(f"{bit:.0f}" for bit in row) for row in x]
print("Epoche  " + "   ".join(names))
for epoch in (0, 1, 2, 5, 10, 20, 60):
    bits = ["".join(f"{number:.0f}" for number in code) for code in walk[epoch]]
    print(f"{epoch:>6}  " + "        ".join(f"{pair:>4}" for pair in bits))
print("am Ende:", *(f"({a:.2f}, {b:.2f})" for a, b in walk[-1]))
print("zurück: ", *model(x).numpy().argmax(axis=-1))
assert len({tuple(code) for code in walk[-1].round()}) == 4
assert np.abs(walk[-1] - walk[-1].round()).max() < 0.1
np.testing.assert_array_equal(model(x).numpy().round(), x)


# %% tags=["row-60"]
def with_decimal_commas(figure):
    for axis in (figure.axes[0].xaxis, figure.axes[0].yaxis):
        axis.set_major_formatter(lambda number, place: german(number))
    return figure


axis_names = "erste Zahl des Codes", "zweite Zahl des Codes"
figure = plot_code_trajectories(walk, names, axis_names=axis_names, title="Vier Codes, 60 Epochen")
show(with_decimal_commas(figure), "Vier Linien laufen aus der Mitte des Quadrats in je eine Ecke.")

# %% [markdown] tags=["row-60"]
# **Aufgabe 1.** Auf wie viele Arten lassen sich die vier Zahlen auf die vier Ecken verteilen, jede
# auf eine eigene Ecke?


# %% tags=["row-60"]
def check_1(prediction):
    truth = len(list(permutations(["00", "01", "10", "11"])))
    assert prediction == truth, "Die erste Zahl hat vier Ecken zur Wahl, die zweite noch drei …"


# check_1(…)  # deine Vorhersage

# %% [markdown] tags=["row-61"]
# ## Der Flaschenhals
#
# Der Artikel sagt: Die Komprimierung hat einen Verlust. Wie groß er ist, hängt von der Größe des
# Codes ab. Wir nehmen 1797 handgeschriebene Ziffern aus 8 x 8 Bildpunkten (pixels) und lassen sie
# durch 2 bis 32 Zahlen gehen, mit je einer versteckten Schicht davor und danach.

# %% tags=["row-61"]
images = load_images("digits")
train, test = images.pixels(images.train), images.pixels(images.test)  # (n, 8, 8, 1), 0 bis 1
many = np.tile(train, (10, 1, 1, 1))  # jedes Bild zehnmal: eine lange Epoche


def trained(code_size, inputs=many, targets=many, epochs=6):
    keras.utils.set_random_seed(1)
    model = Autoencoder(
        dense_encoder((8, 8, 1), code_size, (128,)), dense_decoder((8, 8, 1), code_size, (128,))
    )
    rate = keras.optimizers.schedules.CosineDecay(5e-3, epochs * len(inputs) // 128)
    model.compile(FusedAdam(rate), ReconstructionLoss("mse"), steps_per_execution=10)
    model.fit(inputs, targets, batch_size=128, epochs=epochs, verbose=0)
    return model


# %% tags=["row-61"]
models = {size: trained(size) for size in (2, 4, 8, 16, 32)}
errors = {n: float(reconstruction_errors(test, m(test).numpy()).mean()) for n, m in models.items()}
of_pca = pca_errors(images, list(models))
for size, error in errors.items():
    by_pca = german(of_pca[size], "5.2f")
    print(f"{size:>3} Zahlen: Autoencoder {german(error, '5.2f')}, Hauptkomponenten {by_pca}")
lines = {"vollvernetzter Autoencoder": errors, "Hauptkomponenten": of_pca}
figure = plot_lines(
    {name: (list(found), list(found.values())) for name, found in lines.items()},
    axis_names=("Zahlen in einem Code", "quadratischer Fehler eines Testbilds"),
    marks=list(errors),
    scales=("log", "log"),
    title="Was der Flaschenhals kostet",
)
show(figure, "Beide Fehler fallen mit der Größe des Codes; die Linien kreuzen sich vor 32.")

# %% [markdown] tags=["row-61"]
# *Zu sehen:* Je enger der Flaschenhals, desto größer der Fehler. Bis 8 Zahlen verliert der
# Autoencoder viel weniger als ebenso viele Hauptkomponenten (principal components), die nur linear
# rechnen. Bei 32 Zahlen gewinnen sie: Dort ist nicht der Code die Grenze, sondern das kurze
# Training. *Zum Ändern:* `epochs`.

# %% tags=["row-61"]
assert errors[2] > errors[4] > errors[8] > errors[16] > errors[32]
assert all(errors[size] < 0.9 * of_pca[size] for size in (2, 4, 8))

# %% [markdown] tags=["row-61"]
# **Aufgabe 2.** Wie viele Hauptkomponenten sind so gut wie 8 Zahlen des Autoencoders? (Auf drei
# genau.)


# %% tags=["row-61"]
def check_2(prediction):
    enough = [size for size, error in pca_errors(images, range(9, 21)).items() if error < errors[8]]
    hint = "Suche im Bild auf der Höhe des Autoencoders mit 8 Zahlen nach rechts."
    assert abs(prediction - enough[0]) <= 3, hint


# check_2(…)  # deine Vorhersage

# %% [markdown] tags=["row-62"]
# ## Komprimierung
#
# Acht Gleitkommazahlen haben 256 Bit. Mit weniger geht es, wenn wir jede Zahl des Codes auf wenige
# Stufen runden (quantisation). Daneben stehen PNG-Dateien derselben 324 Bilder mit wenigen
# Graustufen: Auch sie verlieren etwas, und je mehr, desto kleiner sind sie.

# %% tags=["row-62"]
shown = test[:324]  # 18 x 18 Ziffern, als ein einziges Bild gespeichert
lowest, highest = (edge(models[8].encoder(train), axis=0) for edge in (np.min, np.max))


def with_codes(bits):
    steps = 2**bits - 1
    codes = np.clip((models[8].encoder(shown) - lowest) / (highest - lowest), 0, 1)
    restored = models[8].decoder((codes * steps).round() / steps * (highest - lowest) + lowest)
    return 8 * bits, float(reconstruction_errors(shown, restored.numpy()).mean())


# %% tags=["row-62"]
def with_png(levels):
    values = np.round(shown * (levels - 1)).astype(np.uint8)
    sheet = values.reshape(18, 18, 8, 8).swapaxes(1, 2).reshape(144, 144)
    picture, file = Image.frombytes("P", (144, 144), sheet.tobytes()), io.BytesIO()
    picture.putpalette(range(3 * levels))
    picture.save(file, "PNG", optimize=True, bits=next(b for b in (1, 2, 4) if levels <= 2**b))
    error = reconstruction_errors(shown, values / np.float32(levels - 1)).mean()
    return 8 * len(file.getvalue()) / len(shown), float(error)


# %% tags=["row-62"]
by_codes = [with_codes(bits) for bits in (1, 2, 3, 4, 5, 6)]
by_png = [with_png(levels) for levels in (2, 3, 4, 8, 16)]
lines = {"8 Zahlen, gerundet": by_codes, "PNG mit weniger Graustufen": by_png}
figure = plot_lines(
    {name: tuple(np.transpose(points)) for name, points in lines.items()},
    axis_names=("Bit je Bild", "quadratischer Fehler eines Testbilds"),
    title="So viel Fehler bleibt bei so vielen Bit",
)
show(
    with_decimal_commas(figure),
    "Fehler über Bit je Bild: die Codes liegen links von den PNG-Dateien.",
)

# %% [markdown] tags=["row-62"]
# *Zu sehen:* Bei gleichem Fehler brauchen die Codes weniger Bit. Aber ehrlich gerechnet gehört der
# Decoder dazu: Wer die Codes bekommt, braucht auch seine Gewichte. Erst bei vielen Tausend Bildern
# sind sie bezahlt.

# %% tags=["row-62"]
png_bits, png_error = by_png[0]
code_bits, code_error = next(point for point in by_codes if point[1] <= png_error)
of_decoder = 32 * models[8].decoder.count_params()
paid = of_decoder / (png_bits - code_bits)
print(f"PNG: {png_bits:.0f} Bit, Fehler {german(png_error, '.2f')}")
print(f"Code: {code_bits} Bit, Fehler {german(code_error, '.2f')}")
print(f"Decoder: {german(of_decoder, ',')} Bit; lohnt sich ab {german(paid, ',.0f')} Bildern")
assert code_bits < 0.8 * png_bits
assert paid > 5000

# %% [markdown] tags=["row-62"]
# ## Entrauschen
#
# Beim Entrauschen (denoising) sieht der Encoder ein gestörtes Bild, hier mit drei von zehn
# Bildpunkten auf 0. Das Ziel ist das saubere. Jedes Bild kommt zehnmal vor, jedes Mal anders
# gestört.

# %% tags=["row-62"]
noise = Corruption(masking_noise=0.3)
noisy_train = corrupt(tf.constant(many), noise, tf.constant([1, 0])).numpy()
denoiser = trained(32, noisy_train, many)
noisy = corrupt(tf.constant(test), noise, tf.constant([1, 1])).numpy()
restored, plain = denoiser(noisy).numpy(), models[32](noisy).numpy()
figure = plot_image_grid(
    np.stack([test, noisy, restored, plain])[:, :10],
    row_names=["sauber", "verrauscht", "entrauscht", "gewöhnlich"],
    title="Entrauscht, und darunter ein Autoencoder, der kein Rauschen kennt",
)
show(figure, "Saubere, verrauschte und entrauschte Ziffern, und die eines gewöhnlichen Netzes.")

# %% tags=["row-62"]
before, after, without = (
    reconstruction_errors(test, made).mean() for made in (noisy, restored, plain)
)
named = {"verrauscht": before, "entrauscht": after, "gewöhnlich": without}
print("Fehler:", *(f"{name} {german(error, '.1f')}" for name, error in named.items()))
assert after < 0.5 * before
assert after < 0.6 * without

# %% [markdown] tags=["row-62"]
# **Aufgabe 3.** Der Entrauscher bekommt saubere Bilder. Ist sein Fehler „kleiner" oder „größer" als
# der des gewöhnlichen Autoencoders, dessen Code ebenfalls 32 Zahlen hat?


# %% tags=["row-62"]
def check_3(prediction):
    its = reconstruction_errors(test, denoiser(test).numpy()).mean()
    truth = "größer" if its > errors[32] else "kleiner"
    assert prediction == truth, "Wofür wurde jeder der beiden trainiert?"


# check_3(…)  # deine Vorhersage

# %% [markdown] tags=["row-62"]
# ## Anomalie-Erkennung
#
# Was ein Autoencoder nie gesehen hat, gibt er schlecht wieder. Dieser sieht im Training keine Acht.
# Dann gilt jedes Bild mit großem Fehler als Anomalie (anomaly). *Zu sehen:* Die Fläche unter der
# Kurve ist die Wahrscheinlichkeit, dass eine Acht einen größeren Fehler hat als eine andere Ziffer;
# Raten ergäbe 0,5. *Zum Ändern:* `held_out`.

# %% tags=["row-62"]
held_out = 8  # die Klasse; die 8 darunter ist die Größe des Codes
others = np.tile(images.pixels(images.without_class(held_out).train), (10, 1, 1, 1))
without_it = trained(8, others, others)
test_errors = reconstruction_errors(test, without_it(test).numpy())
false_positives, true_positives, area = roc(test_errors, images.test.labels == held_out)
figure = plot_lines(
    {f"Fläche {german(area, '.3f')}": (false_positives, true_positives)},
    axis_names=("andere Ziffern, für Anomalien gehalten", f"gefundene Bilder der {held_out}"),
    title=f"Die {held_out} kam im Training nie vor: gefunden am Rekonstruktionsfehler",
    diagonal=True,
)
show(with_decimal_commas(figure), "ROC-Kurve weit über der Diagonale: Achten haben größere Fehler.")
assert area > 0.8

# %% [markdown] tags=["row-62"]
# ## Sequenz zu Sequenz
#
# Auch Folgen (sequences) passen durch einen Code: Ein LSTM liest, sein letzter Zustand ist der
# Code, ein zweites LSTM schreibt. Es muss nicht dasselbe schreiben. Dieses liest Zahlwörter und
# schreibt Ziffern; im Deutschen stehen dabei Einer vor Zehnern. (Damit es kurz bleibt, stehen die
# Teile getrennt, und Zahlen, die auf 00 bis 19 enden, fehlen.) 100 der 720 Zahlen sieht es nie.

# %% tags=["row-62"]
ONES = ["null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]


def in_words(number):
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    und = f"{ONES[ones]} und " if ones else ""
    return f"{ONES[hundreds]} hundert {und}{TENS[tens - 2]}"


print(in_words(347), in_words(120), sep="; ")

# %% tags=["row-62"]
numbers = [number for number in range(100, 1000) if number % 100 >= 20]
numbers = np.random.default_rng(1).permutation(numbers)
vocabulary = sorted({word for number in numbers for word in in_words(number).split()})
ids = {token: i for i, token in enumerate([*vocabulary, *"0123456789"], start=2)}
START, END = len(ids) + 2, len(ids) + 3  # 0 füllt auf, 1 ist frei


def encoded(sequences):
    rows = [[START, *(ids[token] for token in tokens), END] for tokens in sequences]
    return tf.ragged.constant(rows, dtype=tf.int32).to_tensor()


words = encoded(in_words(number).split() for number in numbers)
digits = encoded(str(number) for number in numbers)

# %% tags=["row-62"]
keras.utils.set_random_seed(1)
reader = SequenceAutoencoder(END + 1, embedding_dim=16, units=64)
reader.compile(FusedAdam(5e-3), steps_per_execution=20)
ten_times = [tf.tile(ids[100:], (10, 1)) for ids in (words, digits)]
reader.fit(*ten_times, batch_size=80, epochs=6, verbose=0)


def step(newest, memory, state):
    logits, state = reader.decode(newest, [part[:, 0] for part in state])
    return logits, [part[:, tf.newaxis] for part in state]


states = [part[:, tf.newaxis] for part in reader.encode(words[:100])]
search = GreedySearch(step, start_id=START, end_id=END, max_length=4)
written = run(search, (), states).ids[:, 0].numpy()

# %% tags=["row-62"]
tokens = {i: token for token, i in ids.items()}
read_back = ["".join(tokens.get(i, "") for i in row) for row in written]
for number, text in list(zip(numbers, read_back, strict=False))[:4]:
    print(f"{in_words(number)} -> {text}")
right = np.mean([str(number) == text for number, text in zip(numbers, read_back, strict=False)])
print(f"{right:.0%} der 100 ungesehenen Zahlen")
assert right > 0.8

# %% [markdown]
# ## Antworten
#
# 1. $4! = 24$. Alle sind gleich gut; der Zufallsstart entscheidet.
# 2. Etwa 14, also fast doppelt so viele: Eine gekrümmte Fläche liegt näher an den Ziffern als eine
#    ebene.
# 3. Größer: Der gewöhnliche hat nur saubere Bilder geübt. Gegen Rauschen zu helfen, kostet etwas.

# %%
check_1(24)
check_2(14)
check_3("größer")
