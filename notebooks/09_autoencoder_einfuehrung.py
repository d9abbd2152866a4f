# %% [markdown]
# # 09 Autoencoder – Einführung
#
# Dazu lesen: „Einführung in die Welt der Autoencoder“ im
# [Data Science Blog](https://data-science-blog.com/) (hier: der Artikel), alle Abschnitte. Dieses
# Notebook ist auf Deutsch, weil der zugehörige Artikel auf Deutsch ist; die englischen Fachwörter
# stehen dabei.
#
# Du siehst
#
# 1. einen Autoencoder in 15 Zeilen, und wie seine Codes Epoche für Epoche in die Ecken wandern,
# 2. was ein Flaschenhals kostet und wie viel weniger der Autoencoder verliert als ebenso viele
#    Hauptkomponenten,
# 3. ein kleines Beispiel für jede Anwendung: Dimensionsreduktion, Komprimierung, Entrauschen,
#    Anomalie-Erkennung, Sequenz-zu-Sequenz.
#
# **Vorher**: was ein neuronales Netz und eine Ableitung sind. Die Notebooks 01 bis 08 brauchst du
# nicht.
#
# **Dauer**: etwa 40 Sekunden auf zwei Kernen eines Laptops.
#
# **So geht es**: Die erste Zelle installiert das Paket, wenn es fehlt: aus einem Wheel in diesem
# Ordner, aus einem Paketindex oder aus dem Checkout, in dem dieser Ordner liegt. Gibt es keines
# davon, führe `pip install .` im Ordner von tf-models aus.
# **Beobachte** sagt, worauf du achten kannst, **Probiere aus**, was du ändern kannst; bricht eine
# Zelle danach bei einem `assert` ab, setze ein `#` davor. Die Aufgaben stehen am Ende: Setze deine
# Antwort in die letzte Zeile einer Zelle, entferne ihr `#` und führe sie aus. Die Lösung lässt sich
# darunter aufklappen.
#
# Zurück: [08 The Transformer as classifier](08_classifier.ipynb).
# Weiter: [10 Lecture 7](10_lecture_7.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %% [markdown] tags=["row-98"]
# ## Die Architektur
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
# Das Beispiel des Artikels hat vier Eingänge, zwei versteckte Knoten und vier Ausgänge.

# %% tags=["row-98"]
from tf_models.plotting.architecture import Arrow, Box, plot_architecture
from tf_models.plotting.notebook import show

boxes = {f"x{i}": Box(f"x {i}", (0, 3 - i)) for i in range(4)}
boxes |= {f"h{i}": Box(f"h {i}", (1, 2 - i), "code") for i in range(2)}
boxes |= {f"r{i}": Box(f"r {i}", (2, 3 - i), "decoder") for i in range(4)}
arrows = [Arrow(f"x{i}", f"h{j}") for i in range(4) for j in range(2)]
arrows += [Arrow(f"h{i}", f"r{j}") for i in range(2) for j in range(4)]
show(
    plot_architecture(boxes, arrows, title="Der Autoencoder 4 → 2 → 4"),
    "Von links zur Mitte rechnet der Encoder, von da nach rechts der Decoder; in der Mitte liegt "
    "der Flaschenhals. Jeder Pfeil ist ein Gewicht.",
)

# %% [markdown] tags=["row-59"]
# ## Encoder und Decoder
#
# $$h = s(Wx + B), \qquad r = s'(W'h + B'), \qquad L = \lVert x - r \rVert^2$$
#
# Von Hand gerechnet und mit Keras verglichen. Die Eingänge sind die Zahlen 0 bis 3 als „1 aus n“
# (one hot). Sie stehen in Zeilen, deshalb steht $W$ rechts.


# %% tags=["row-59"]
import numpy as np


def s(a):  # Sigmoidfunktion: von 0 bis 1
    return 1 / (1 + np.exp(-a))


x = np.eye(4, dtype=np.float32)  # (4, 4), eine Zahl je Zeile
encoder = keras.layers.Dense(2, activation="sigmoid")
decoder = keras.layers.Dense(4, activation="sigmoid")
by_keras = decoder(encoder(x)).numpy()  # (4, 4)

# %% tags=["row-59"]
W, B = encoder.get_weights()  # (4, 2) und (2,)
V, C = decoder.get_weights()  # (2, 4) und (4,); V und C sind W' und B'
h = s(x @ W + B)  # (4, 2)
r = s(h @ V + C)  # (4, 4)


# %% tags=["row-59"]
def german(number, form="g"):  # 1,234.5 wird zu 1.234,5
    return format(number, form).translate({ord("."): ",", ord(","): "."})


def numbers_of(row):
    return " ".join(german(number, ".2f") for number in row)


for one_hot, code, output in zip(x, h, r, strict=True):
    print(f"x = {one_hot}   h = {numbers_of(code)}   r = {numbers_of(output)}")
print("größter Unterschied zu Keras:", german(np.abs(r - by_keras).max(), ".0e"))
np.testing.assert_allclose(by_keras, r, atol=1e-6)

# %% [markdown] tags=["row-59"]
# Noch ist das Netz nicht trainiert: Alle Ausgänge liegen in der Mitte.
#
# Der Artikel setzt MSE und $\lVert x - r \rVert^2$ gleich. Genau genommen ist das Zweite die Summe,
# nicht das Mittel. Das Minimum ist dasselbe; nur die Lernrate (learning rate) bedeutet etwas
# anderes. Keras bildet das Mittel, unsere Bibliothek die Summe.

# %% tags=["row-59"]
from tf_models import Autoencoder, ReconstructionLoss

summe, mittel = ReconstructionLoss("mse").call(x, r), keras.losses.mean_squared_error(x, r)
print(f"Summe {german(summe[0], '.3f')}, Mittel {german(mittel[0], '.3f')}")
print(f"Die Summe ist das {summe[0] / mittel[0]:.0f}-Fache.")
np.testing.assert_allclose(summe, 4 * mittel, rtol=1e-5)

# %% [markdown] tags=["row-90"]
# ## Programmierung eines einfachen Autoencoders
#
# Mehr als zwei Schichten braucht es nicht. Ein Schritt des Trainings sieht alle vier Zahlen, und
# eine Epoche (epoch) hat zehn Schritte.
#
# `SGD(80.0)` ist der Gradientenabstieg (stochastic gradient descent) aus dem Artikel, mit einer
# Lernrate von 80. So groß darf sie hier sein, denn die Gradienten sind winzig: Der Fehler ist ein
# Mittel über vier Zahlen, und jede Sigmoid-Schicht multipliziert mit einer Ableitung von höchstens
# 1/4. Mit großen Schritten kann ein Code über sein Ziel hinausspringen und zurückkommen. Adam käme
# mit einer gewöhnlichen Lernrate ans Ziel, weil er jeden Gradienten durch seine Größe teilt.

# %% tags=["row-90"]
keras.utils.set_random_seed(10)
data = np.tile(x, (10, 1))  # (40, 4): zehnmal die vier Zahlen
plain = keras.Sequential(
    [
        keras.Input((4,)),
        keras.layers.Dense(2, activation="sigmoid"),  # Encoder
        keras.layers.Dense(4, activation="sigmoid"),  # Decoder
    ]
)
start = plain.get_weights()  # für später
plain.compile(optimizer=keras.optimizers.SGD(80.0), loss="mse")
plain.fit(data, data, batch_size=4, epochs=60, shuffle=False, verbose=0)
codes, back = plain.layers[0](x).numpy(), plain(x).numpy()
assert len({tuple(code) for code in codes.round()}) == 4
assert np.abs(back - x).max() < 0.1
for number, (code, output) in enumerate(zip(codes, back, strict=True)):
    print(f"{number}: Code {numbers_of(code)}, zurück {numbers_of(output)}")

# %% [markdown] tags=["row-90"]
# Die vier Ausgänge sind fast genau die vier Eingänge, und gerundet sind die Codes vier verschiedene
# Paare aus 0 und 1.
#
# `Autoencoder` aus der Bibliothek ist dasselbe mit getrennten Teilen. Mit denselben Startgewichten
# kommt dasselbe heraus. Weil die Bibliothek summiert, ist ihre Lernrate ein Viertel. Nach jeder
# Epoche merken wir uns die Codes.

# %% tags=["row-90"]
from tf_models import dense_decoder, dense_encoder

model = Autoencoder(
    dense_encoder((4,), 2, code_activation="sigmoid"),
    dense_decoder((4,), 2, output_activation="sigmoid"),
)
model.set_weights(start)

# %% tags=["row-90"]
model.compile(optimizer=keras.optimizers.SGD(20.0), loss=ReconstructionLoss("mse"))
walk = [model.encoder(x).numpy()]
remember = keras.callbacks.LambdaCallback(
    on_epoch_end=lambda epoch, logs: walk.append(model.encoder(x).numpy())
)
model.fit(data, data, batch_size=4, epochs=60, shuffle=False, callbacks=[remember], verbose=0)
walk = np.array(walk)  # (61, 4, 2)
print("größter Unterschied der Codes:", german(np.abs(walk[-1] - codes).max(), ".0e"))
np.testing.assert_allclose(walk[-1], codes, atol=0.01)

# %% [markdown] tags=["row-60"]
# ## Vier Zahlen durch zwei
#
# Im Artikel sollen aus 0, 1, 2, 3 die Codes 00, 01, 10, 11 werden. Die Zeilen zeigen, gerundet, wie
# sich die vier Codes von Epoche zu Epoche trennen.

# %% tags=["row-60"]
names = [" ".join(f"{bit:.0f}" for bit in row) for row in x]
print("Epoche  " + "   ".join(names))
for epoch in (0, 1, 2, 5, 10, 20, 60):
    bits = ["".join(f"{number:.0f}" for number in code) for code in walk[epoch]]
    print(f"{epoch:>6}  " + "        ".join(f"{pair:>4}" for pair in bits))
print("am Ende:", *(f"({numbers_of(code)})" for code in walk[-1]))
print("zurück: ", *model(x).numpy().argmax(axis=-1))
pairs = [len({tuple(code) for code in epoch.round()}) for epoch in walk]  # verschiedene Codes
assert pairs[0] < pairs[-1] == 4
assert np.abs(walk[-1] - walk[-1].round()).max() < 0.1
np.testing.assert_array_equal(model(x).numpy().round(), x)

# %% tags=["row-60"]
from tf_models.plotting.lines import plot_lines


def with_decimal_commas(figure):
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda number, place: german(number))
    return figure


# %% tags=["row-60"]
axis_names = "erste Zahl des Codes", "zweite Zahl des Codes"
lines = {name: tuple(walk[:, number].T) for number, name in enumerate(names)}
figure = plot_lines(lines, axis_names=axis_names, title="Vier Codes, 60 Epochen")
show(
    with_decimal_commas(figure),
    "Jede Linie ist der Weg eines Codes, aus der Mitte bis in seine Ecke.",
)

# %% [markdown] tags=["row-60"]
# Anfangs teilen sich mehrere Zahlen einen Code, am Ende hat jede ihre eigene Ecke. Meist ist es
# eine andere als im Artikel: Nichts in der Verlustfunktion bevorzugt eine Reihenfolge. **Probiere
# aus**: einen anderen Startwert (seed), etwa 9. Manchmal bleibt ein Code auf halbem Weg stecken.
# Dagegen hilft Rauschen auf dem Code (`code_noise=1.0` im Encoder); so trainiert
# `train_autoencoder.py --model one-hot`.

# %% [markdown]
# ## Backpropagation von Hand
#
# Fehlerrückführung ist die Kettenregel, von hinten nach vorn. Mit der Ableitung
# $\frac{ds}{da} = s(1-s)$ der Sigmoidfunktion, und mit $V$ und $C$ für $W'$ und $B'$:
#
# $$\delta_r = 2(r - x) \odot r(1 - r), \qquad \delta_h = (\delta_r V^T) \odot h(1 - h)$$
#
# Die Gradienten der Gewichte sind $x^T\delta_h$ und $h^T\delta_r$. TensorFlow findet dieselben.


# %%
def gradients(W, B, V, C):
    h = s(x @ W + B)
    r = s(h @ V + C)
    d_r = 2 * (r - x) * r * (1 - r)  # (4, 4)
    d_h = (d_r @ V.T) * h * (1 - h)  # (4, 2)
    return x.T @ d_h, d_h.sum(axis=0), h.T @ d_r, d_r.sum(axis=0)


# %%
weights = [v.value for v in (*encoder.trainable_variables, *decoder.trainable_variables)]
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((x - decoder(encoder(x))) ** 2)
for name, mine, its in zip(
    "WBVC", gradients(W, B, V, C), tape.gradient(loss, weights), strict=True
):
    gap = np.abs(mine - its).max()
    print(f"Gradient von {name}: {mine.shape}, größter Unterschied {german(gap, '.0e')}")
    np.testing.assert_allclose(mine, its, atol=1e-5)

# %% [markdown]
# Alle vier Gradienten stimmen überein. Damit lässt sich schon trainieren: Gradientenabstieg
# (gradient descent), 2000 Schritte lang. Und weil ein Netz Glück haben kann, trainieren wir 30,
# jedes mit eigenem Zufallsstart. **Probiere aus**: weniger Schritte.

# %%
random = np.random.default_rng(1)
right, corners = 0, 0
for _ in range(30):
    net = [random.uniform(-1, 1, shape) for shape in ((4, 2), (2,), (2, 4), (4,))]
    for _ in range(2000):
        for weight, gradient in zip(net, gradients(*net), strict=True):
            weight -= 5 * gradient  # 5 ist die Lernrate
    code = s(x @ net[0] + net[1])
    decoded = s(code @ net[2] + net[3]).argmax(axis=-1)
    right += np.array_equal(decoded, [0, 1, 2, 3])
    corners += np.all(np.abs(code - code.round()) < 0.1)
print(f"alle vier richtig: {right} von 30 Netzen; jeder Code in einer Ecke: {corners}")
assert right == 30
assert 20 < corners < 30

# %% [markdown]
# Alle geben alle vier Zahlen richtig wieder. Bei den meisten, aber nicht bei allen, liegt am Ende
# jeder Code in einer Ecke des Quadrats: Ein Decoder kommt auch mit einem Code auf halbem Weg aus.

# %% [markdown] tags=["row-91"]
# ## Dimensionsreduktion
#
# Nun 1797 handgeschriebene Ziffern aus 8 × 8 Bildpunkten (pixels): Der Encoder macht aus 64 Zahlen
# zwei, also einen Punkt in der Ebene. Das tut auch die Hauptkomponentenanalyse (principal component
# analysis, PCA), aber nur mit einer linearen Abbildung.

# %% tags=["row-91"]
from tf_models import load_images

images = load_images("digits")
train, test = images.pixels(images.train), images.pixels(images.test)  # (n, 8, 8, 1), 0 bis 1
many = np.tile(train, (10, 1, 1, 1))  # jedes Bild zehnmal: eine lange Epoche


# %% tags=["row-91"]
def trained(code_size, inputs=many, targets=many, *, units=(128,), epochs=6):
    keras.utils.set_random_seed(1)
    shapes = (8, 8, 1), code_size, units
    model = Autoencoder(dense_encoder(*shapes), dense_decoder(*shapes))
    rate = keras.optimizers.schedules.CosineDecay(5e-3, epochs * len(inputs) // 128)
    model.compile(keras.optimizers.Adam(rate), ReconstructionLoss("mse"), steps_per_execution=10)
    model.fit(inputs, targets, batch_size=128, epochs=epochs, verbose=0)
    return model


# %% tags=["row-91"]
from sklearn.decomposition import PCA

from tf_models.plotting.points import plot_latent_space

flat, flat_test = train.reshape(-1, 64), test.reshape(-1, 64)
in_two = trained(2, units=(256, 64), epochs=12)
pca = PCA(2).fit(flat)
codes = {
    "Autoencoder": (in_two.encoder(train).numpy(), in_two.encoder(test).numpy()),
    "Hauptkomponenten": (pca.transform(flat), pca.transform(flat_test)),
}

# %% tags=["row-91"]
panels = {name: of_test for name, (_, of_test) in codes.items()}
names = {"axis_names": ("erste Zahl", "zweite Zahl"), "title": "Ziffern als Punkte"}
show(
    with_decimal_commas(plot_latent_space(panels, images.test.labels, **names)),
    "Jede Ziffer steht dort, wohin ihr Bild kommt. Links liegen die meisten Klassen getrennt, "
    "rechts viele übereinander.",
)

# %% [markdown] tags=["row-91"]
# Gemessen: Welche Ziffer ein Testbild zeigt, raten wir aus den fünf nächsten Punkten des Trainings.

# %% tags=["row-91"]
from sklearn.neighbors import KNeighborsClassifier

shares = {}
for name, (of_train, of_test) in codes.items():
    nearest = KNeighborsClassifier(5).fit(of_train, images.train.labels)
    shares[name] = nearest.score(of_test, images.test.labels)
    print(f"{name}: {shares[name]:.0%} richtig".replace("%", " %"))
assert shares["Autoencoder"] > shares["Hauptkomponenten"] + 0.05

# %% [markdown] tags=["row-91"]
# In zwei Zahlen steckt beim Autoencoder viel mehr darüber, welche Ziffer es ist, als bei zwei
# Hauptkomponenten. Dabei hat ihm niemand die Klassen genannt: Er wollte nur die Bilder wiedergeben.

# %% [markdown] tags=["row-61"]
# ## Der Flaschenhals
#
# Der Artikel sagt: Die Komprimierung ist verlustbehaftet. Wie groß der Verlust ist, hängt von der
# Größe des Codes ab. Wir versuchen es mit 2 bis 32 Zahlen und je einer versteckten Schicht davor
# und danach.

# %% tags=["row-61"]
from tf_models.autoencoding.evaluate import pca_errors
from tf_models.autoencoding.model import reconstruction_errors
from tf_models.plotting.lines import plot_lines

models = {size: trained(size) for size in (2, 4, 8, 16, 32)}
errors = {n: float(reconstruction_errors(test, m(test).numpy()).mean()) for n, m in models.items()}
of_pca = pca_errors(images, list(models))
for size, error in errors.items():
    by_pca = german(of_pca[size], "5.2f")
    print(f"{size:>3} Zahlen: Autoencoder {german(error, '5.2f')}, Hauptkomponenten {by_pca}")
assert errors[2] > errors[4] > errors[8] > errors[16] > errors[32]
assert all(errors[size] < 0.9 * of_pca[size] for size in (2, 4, 8))
assert of_pca[32] < errors[32]

# %% tags=["row-61"]
lines = {"vollständig verbundener Autoencoder": errors, "Hauptkomponenten": of_pca}
figure = plot_lines(
    {name: (list(found), list(found.values())) for name, found in lines.items()},
    axis_names=("Zahlen in einem Code", "quadratischer Fehler eines Testbilds"),
    marks=list(errors),
    scales=("log", "log"),
    title="Was der Flaschenhals kostet",
)
show(
    with_decimal_commas(figure),
    "Je enger der Flaschenhals, desto größer der Fehler. Bis 8 Zahlen verliert der Autoencoder "
    "viel weniger als ebenso viele Hauptkomponenten.",
)

# %% [markdown] tags=["row-61"]
# Hauptkomponenten sind eine lineare Abbildung; der Autoencoder kann krumme Flächen lernen. Bei 32
# Zahlen gewinnen sie trotzdem: Dort ist nicht der Code die Grenze, sondern das kurze Training.
# **Probiere aus**: mehr `epochs`.

# %% [markdown] tags=["row-62"]
# ## Komprimierung
#
# Acht Gleitkommazahlen belegen 256 Bit. Mit weniger geht es, wenn wir jede Zahl des Codes auf
# wenige Stufen runden (quantisation). Zum Vergleich dienen PNG-Dateien derselben 324 Bilder mit
# wenigen Graustufen: Auch sie verlieren etwas, und je mehr, desto kleiner sind sie.

# %% tags=["row-62"]
shown = test[:324]  # 18 x 18 Ziffern, als ein einziges Bild gespeichert
lowest, highest = (edge(models[8].encoder(train), axis=0) for edge in (np.min, np.max))


def with_codes(bits):
    steps = 2**bits - 1
    codes = np.clip((models[8].encoder(shown) - lowest) / (highest - lowest), 0, 1)
    restored = models[8].decoder((codes * steps).round() / steps * (highest - lowest) + lowest)
    return 8 * bits, float(reconstruction_errors(shown, restored.numpy()).mean())


# %% tags=["row-62"]
import io

from PIL import Image


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
    title="Restfehler je Bitzahl",
)
show(
    with_decimal_commas(figure),
    "Bei gleichem Fehler brauchen die Codes weniger Bit als die PNG-Dateien.",
)

# %% [markdown] tags=["row-62"]
# Aber ehrlich gerechnet gehört der Decoder dazu: Wer die Codes bekommt, braucht auch seine
# Gewichte. Erst bei vielen Tausend Bildern lohnen sie sich.

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
assert min(error for _, error in by_png) < min(error for _, error in by_codes)

# %% [markdown] tags=["row-62"]
# Der Artikel hat recht: Der Code braucht bei gleichem Fehler weit weniger Bit. Aber für
# weniger als einige Tausend Bilder ist die PNG-Datei die bessere Wahl, und wer einen kleineren
# Fehler will als diesen Codes möglich ist, braucht sie ohnehin.

# %% [markdown] tags=["row-62"]
# ## Entrauschen
#
# Beim Entrauschen (denoising) sieht der Encoder ein gestörtes Bild, hier mit drei von zehn
# Bildpunkten auf 0. Das Ziel ist das saubere. Jedes Bild kommt zehnmal vor, jedes Mal anders
# gestört.

# %% tags=["row-62"]
from tf_models.plotting.images import plot_image_grid


def zeroed(pictures):
    return pictures * (random.random(pictures.shape) >= 0.3).astype(np.float32)


denoiser, noisy = trained(32, zeroed(many), many), zeroed(test)
restored, ordinary = denoiser(noisy).numpy(), models[32](noisy).numpy()

# %% tags=["row-62"]
show(
    plot_image_grid(
        np.stack([test, noisy, restored, ordinary])[:, :10],
        row_names=["sauber", "verrauscht", "entrauscht", "gewöhnlich"],
        title="Entrauschen",
    ),
    "Zehn Ziffern: sauber, mit Lücken, und was der Entrauscher und der gewöhnliche daraus machen.",
)

# %% tags=["row-62"]
made = {"verrauscht": noisy, "entrauscht": restored, "gewöhnlich": ordinary}
found = {name: reconstruction_errors(test, pictures).mean() for name, pictures in made.items()}
print("Fehler:", ", ".join(f"{name} {german(error, '.1f')}" for name, error in found.items()))
assert found["entrauscht"] < 0.5 * found["verrauscht"]
assert found["entrauscht"] < 0.6 * found["gewöhnlich"]
assert found["gewöhnlich"] < found["verrauscht"]

# %% [markdown] tags=["row-62"]
# Der Entrauscher hat einen viel kleineren Fehler als das gewöhnliche Netz. Auch dieses verkleinert
# den Fehler, denn durch seinen Flaschenhals passen keine beliebigen Lücken.
#
# Der Entrauscher ergänzt, was fehlt, aber nicht immer richtig: Fehlen die entscheidenden Punkte,
# wird aus einer Ziffer eine andere. Wie oft, sagt ein Klassifikator, der die fünf ähnlichsten
# sauberen Bilder befragt.

# %% tags=["row-62"]
nearest = KNeighborsClassifier(5).fit(flat, images.train.labels)
made = {"sauber": test, **made}
named = {name: nearest.predict(pictures.reshape(len(test), -1)) for name, pictures in made.items()}
shares = {name: np.mean(digits == images.test.labels) for name, digits in named.items()}
for name, share in shares.items():
    print(f"{name:10} {share:.0%} als ihre Ziffer erkannt".replace("%", " %"))
for place in range(10):
    if named["sauber"][place] != named["entrauscht"][place]:
        print(f"Spalte {place + 1}: aus der {named['sauber'][place]} wird "
              f"eine {named['entrauscht'][place]}")  # fmt: skip
assert shares["verrauscht"] < shares["entrauscht"] < shares["sauber"]
assert shares["gewöhnlich"] < shares["entrauscht"]

# %% [markdown] tags=["row-62"]
# Entrauscht werden mehr Ziffern erkannt als verrauscht, aber weniger als sauber: Ein Teil dessen,
# was fehlt, ist für immer verloren. Das gewöhnliche Netz hilft beim Lesen nicht.

# %% [markdown] tags=["row-62"]
# ## Anomalie-Erkennung
#
# Was ein Autoencoder nie gesehen hat, gibt er schlecht wieder. Dieser sieht im Training keine Acht.
# Dann gilt jedes Bild mit großem Fehler als Anomalie (anomaly). **Probiere aus**: eine andere
# Ziffer für `held_out`.

# %% tags=["row-62"]
held_out = 8  # die Klasse; die 8 darunter ist die Größe des Codes
normal = images.pixels(images.without_class(str(held_out)).train)
without_it = trained(8, *[np.tile(normal, (10, 1, 1, 1))] * 2)
back = without_it(test).numpy()
test_errors = reconstruction_errors(test, back)
is_anomaly = images.test.labels == held_out

# %% tags=["row-62"]
chosen = np.concatenate([np.flatnonzero(is_anomaly)[:6], np.flatnonzero(~is_anomaly)[:6]])
figure = plot_image_grid(
    np.stack([test[chosen], back[chosen]]),
    row_names=["Bild", "zurück"],
    column_names=[german(error, ".1f") for error in test_errors[chosen]],
    title="Links Achten, die es im Training nie gab, rechts andere Ziffern; darüber ihr Fehler",
)
show(
    figure,
    "Die Achten kommen schlechter zurück als die anderen: Eine Acht zu zeichnen, hat dieser "
    "Decoder nie gelernt.",
)

# %% tags=["row-62"]
from sklearn.metrics import auc, roc_curve

false_positives, true_positives, _ = roc_curve(is_anomaly, test_errors)
area = auc(false_positives, true_positives)
figure = plot_lines(
    {f"Fläche {german(area, '.3f')}": (false_positives, true_positives)},
    axis_names=("andere Ziffern, für Anomalien gehalten", f"gefundene Bilder der {held_out}"),
    title=f"Die {held_out}, erkannt am Rekonstruktionsfehler",
    diagonal=True,
)
show(
    with_decimal_commas(figure),
    "Die Fläche unter der Kurve ist die Wahrscheinlichkeit, dass eine Acht einen größeren Fehler "
    "hat als eine andere Ziffer. Raten ergäbe 0,5: die Diagonale.",
)
assert area > 0.8

# %% [markdown] tags=["row-62"]
# Der Fehler trennt die Achten von den anderen Ziffern viel besser, als Raten es könnte, aber nicht
# ganz: Manche Acht sieht einer anderen Ziffer ähnlich und kommt gut zurück.

# %% [markdown] tags=["row-62"]
# ## Von Sequenz zu Sequenz
#
# Auch Folgen (sequences) lassen sich in einen Code fassen: Ein LSTM liest, sein letzter Zustand ist
# der Code, ein zweites LSTM schreibt. Es muss nicht dasselbe schreiben. Dieses liest Zahlwörter und
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
numbers = random.permutation([number for number in range(100, 1000) if number % 100 >= 20])
vocabulary = sorted({word for number in numbers for word in in_words(number).split()})
ids = {token: i for i, token in enumerate([*vocabulary, *"0123456789"], start=2)}
START, END = len(ids) + 2, len(ids) + 3  # 0 füllt auf, 1 ist frei


def encoded(sequences):
    rows = [[START, *(ids[token] for token in tokens), END] for tokens in sequences]
    return tf.ragged.constant(rows, dtype=tf.int32).to_tensor()


words = encoded(in_words(number).split() for number in numbers)
digits = encoded(str(number) for number in numbers)

# %% tags=["row-62"]
from tf_models import SequenceAutoencoder

keras.utils.set_random_seed(1)
reader = SequenceAutoencoder(END + 1, embedding_dim=16, units=64)
reader.compile(keras.optimizers.Adam(5e-3), steps_per_execution=20)
ten_times = [tf.tile(some[100:], (10, 1)) for some in (words, digits)]
reader.fit(*ten_times, batch_size=80, epochs=6, verbose=0)

states = reader.encode(words[:100])  # die Codes der ungesehenen Zahlen
newest = tf.fill((100, 1), START)
written = []
for _ in range(3):  # drei Ziffern, jede nach der vorigen
    logits, states = reader.decode(newest, states)
    newest = tf.argmax(logits, axis=-1, output_type=tf.int32)  # (100, 1)
    written.append(newest[:, 0].numpy())

# %% tags=["row-62"]
tokens = {i: token for token, i in ids.items()}
read_back = ["".join(tokens.get(i, "") for i in row) for row in np.transpose(written)]
for number, text in list(zip(numbers, read_back, strict=False))[:4]:
    print(f"{in_words(number)} -> {text}")
right = np.mean([str(number) == text for number, text in zip(numbers, read_back, strict=False)])
print(f"{right:.0%} der 100 ungesehenen Zahlen".replace("%", " %"))
assert right > 0.8

# %% [markdown] tags=["row-62"]
# Fast alle Zahlen, die es nie sah, liest es richtig, auch die Umstellung von Einern und Zehnern:
# Der Code hält die ganze Zahl fest, nicht ihre Wörter der Reihe nach.

# %% [markdown]
# ## Zusammenfassung
#
# - Ein Autoencoder gibt seinen Eingang durch einen engeren Code wieder; zwei Schichten genügen.
# - Er lernt mit der Kettenregel; seine Codes ordnet er selbst, in beliebiger Reihenfolge.
# - Bei kleinen Codes verliert er weniger als ebenso viele Hauptkomponenten, denn er ist nicht
#   linear.
# - Komprimieren lohnt sich erst bei vielen Bildern: Der Decoder zählt mit.
# - Ein Entrauscher bekommt gestörte Eingänge und saubere Ziele; was ganz fehlt, muss er raten.
# - Ein großer Fehler verrät, was nicht zu den Daten des Trainings passt.
#
# **Zwei Sätze zum Merken**: Was durch den Flaschenhals muss, wird auf das beschränkt, was die Daten
# gemeinsam haben. Deshalb taugt derselbe Fehler als Lernziel und als Alarm.

# %% [markdown]
# ## Aufgaben
#
# **1.** Auf wie viele Arten lassen sich die vier Zahlen auf die vier Ecken verteilen, jede auf eine
# eigene Ecke?


# %%
from itertools import permutations


def check_1(answer):
    ways = list(permutations(["00", "01", "10", "11"]))
    assert answer == len(ways), "Die erste Zahl hat vier Ecken zur Wahl, die zweite noch drei …"


# check_1(0)

# %% [markdown]
# <details><summary>Lösung</summary>
#
# Das sind $4! = 24$. Alle sind gleich gut; der Zufallsstart entscheidet.
#
# ```python
# check_1(4 * 3 * 2 * 1)
# ```
#
# </details>
#
# **2.** Wie viele Hauptkomponenten sind so gut wie 8 Zahlen des Autoencoders? (Auf ±3 genau.)


# %%
def check_2(answer):
    enough = [size for size, error in pca_errors(images, range(9, 33)).items() if error < errors[8]]
    hint = "Suche im Bild auf der Höhe des Autoencoders mit 8 Zahlen nach rechts."
    assert abs(answer - enough[0]) <= 3, hint


# check_2(0)

# %% [markdown]
# <details><summary>Lösung</summary>
#
# Etwa 14, also fast doppelt so viele: Eine gekrümmte Fläche liegt näher an den Ziffern als eine
# ebene.
#
# ```python
# check_2(14)
# ```
#
# </details>
#
# **3.** Der Entrauscher bekommt saubere Bilder. Ist sein Fehler „kleiner“ oder „größer“ als der des
# gewöhnlichen Autoencoders, dessen Code ebenfalls 32 Zahlen hat?


# %%
def check_3(answer):
    its = reconstruction_errors(test, denoiser(test).numpy()).mean()
    truth = "größer" if its > errors[32] else "kleiner"
    assert answer == truth, "Wofür wurde jeder der beiden trainiert?"


# check_3("")

# %% [markdown]
# <details><summary>Lösung</summary>
#
# Größer: Der gewöhnliche hat nur saubere Bilder geübt. Gegen Rauschen zu helfen, kostet etwas.
#
# ```python
# check_3("größer")
# ```
#
# </details>
#
# **4.** Ab welchem Fehler ist ein Bild eine Anomalie? Schreibe `threshold(errors)`: Sie bekommt die
# Fehler der normalen Bilder und gibt die Schwelle zurück, über der nur jedes zwanzigste von ihnen
# liegt. Dein Code ersetzt die drei Punkte.


# %%
def threshold(errors): ...


def check_4(function):
    normal_errors = reconstruction_errors(normal, without_it(normal).numpy())
    limit = function(normal_errors)
    share = np.mean(normal_errors > limit)
    assert 0.04 < share < 0.06, f"über deiner Schwelle liegen {share:.0%} der normalen Bilder"
    print(f"gefunden: {np.mean(test_errors[is_anomaly] > limit):.0%} der Achten".replace("%", " %"))


# check_4(threshold)

# %% [markdown]
# <details><summary>Lösung</summary>
#
# Das ist das 95-%-Quantil.
#
# ```python
# def threshold(errors):
#     return np.quantile(errors, 0.95)
#
#
# check_4(threshold)
# ```
#
# </details>
