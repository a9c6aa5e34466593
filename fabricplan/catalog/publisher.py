"""Which address of a document may stand in what a customer receives: the publisher's own, and no copy elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from fabricplan.catalog.types import Document

HOUSES: Mapping[str, tuple[str, ...]] = {
    "nvidia": ("nvidia", "mellanox", "cumulusnetworks"),
    "mellanox": ("nvidia", "mellanox"),
    "netbox": ("netbox-community", "netbox"),
    "xcat": ("xcat2", "xcat"),
}
"""First word of a publisher -> names under which it publishes; others publish under that word."""
SHARED_HOSTS = ("github.com", "raw.githubusercontent.com")
"""Hosts whose pages belong to whoever the first part of the path names."""


def own_url(document: Document) -> str | None:
    """Return the address of a document where its publisher itself put it there, else None.

    >>> at = "https://docs.nvidia.com/networking/display/sn5000"
    >>> own_url(Document(id="a", publisher="NVIDIA", title="SN5000 switch manual", url=at)) == at
    True
    >>> own_url(Document(id="b", publisher="NVIDIA", title="deck", url="https://github.com/someone/copies"))
    >>> own_url(Document(id="c", publisher="NVIDIA", title="deck", url="https://nvidia-docs.copies.example/x"))
    """
    if not document.url:
        return None
    parts = urlsplit(document.url)
    host = parts.netloc.casefold().removeprefix("www.")
    labels = host.split(".")
    owner = parts.path.strip("/").split("/")[0] if host in SHARED_HOSTS else labels[-2] if len(labels) > 1 else host
    first = document.publisher.split()[0].split(".")[0].casefold()
    return document.url if owner.casefold() in HOUSES.get(first, (first,)) else None
