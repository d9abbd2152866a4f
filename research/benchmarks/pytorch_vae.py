"""The dense VAE in PyTorch, as a baseline: the same sizes, loss and sampling."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tf_models.autoencoding.settings import ImageRunSettings

ACTIVATIONS = {"tanh": nn.Tanh, "relu": nn.ReLU, "sigmoid": nn.Sigmoid}


class VAE(nn.Module):
    """Encoder and decoder of Kingma & Welling (2014), appendix C: Gaussian latents, binary pixels.

    Call it with binary images (batch, pixels); it returns the negative ELBO, in nats (a scalar).

    Args:
        pixels: of an image.
        settings: latents, units and activation.
    """

    def __init__(self, pixels: int, settings: ImageRunSettings):
        super().__init__()
        activation = ACTIVATIONS[settings.model.activation]
        self.encoder = _hidden((pixels, *settings.model.units), activation)
        self.heads = nn.Linear(settings.model.units[-1], 2 * settings.model.latents)
        self.decoder = nn.Sequential(
            _hidden((settings.model.latents, *settings.model.units[::-1]), activation),
            nn.Linear(settings.model.units[0], pixels),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Mean over the batch; reconstruction and KL are sums over pixels and latents."""
        mean, log_variance = self.heads(self.encoder(x)).chunk(2, dim=-1)  # (batch, latents) each
        z = mean + torch.exp(0.5 * log_variance) * torch.randn_like(mean)
        logits = self.decoder(z)
        reconstruction = functional.binary_cross_entropy_with_logits(logits, x, reduction="sum")
        kl = 0.5 * torch.sum(mean.square() + log_variance.exp() - log_variance - 1)
        return (reconstruction + kl) / len(x)


def _hidden(widths: tuple[int, ...], activation: type[nn.Module]) -> nn.Sequential:
    layers = [
        layer
        for before, after in zip(widths[:-1], widths[1:], strict=True)
        for layer in (nn.Linear(before, after), activation())
    ]
    return nn.Sequential(*layers)


class Trainer:
    """Trains epochs over images in memory, which are binarised again each epoch.

    Args:
        images: (n, height, width, channels), 0 to 1: probabilities of a pixel to be 1.
        settings: of the model and its optimizer.
    """

    def __init__(self, images: np.ndarray, settings: ImageRunSettings):
        self._images = torch.from_numpy(images.reshape(len(images), -1))
        self._batch_size = settings.training.batch_size
        self.model = VAE(self._images.shape[1], settings)
        self._optimizer = torch.optim.Adam(
            self.model.parameters(), settings.optimizer.learning_rate, eps=1e-7, fused=True
        )
        steps = settings.training.epochs * -(-len(images) // settings.training.batch_size)
        self._schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self._optimizer, steps)

    def epoch(self) -> float:
        """Train on every image once; return the mean loss in nats."""
        total = torch.zeros(())
        for indices in torch.randperm(len(self._images)).split(self._batch_size):
            x = torch.bernoulli(self._images[indices])  # (batch, pixels)
            loss = self.model(x)
            self._optimizer.zero_grad()
            loss.backward()
            self._optimizer.step()
            self._schedule.step()
            total += loss.detach() * len(x)
        return float(total / len(self._images))
