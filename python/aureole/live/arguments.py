# SPDX-License-Identifier: Apache-2.0
"""Arguments of simulations of any application, checked before anything is made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from aureole.base.errors import bad_input
from aureole.base.names_elsewhere import OF_PACKAGE
from aureole.specs.device import Device
from aureole.specs.spec import Spec

from .live import Live
from .observer import Observer


def check_observers(observers: Any, of: type[Live]) -> None:
    """Refuse what is no list of observers, and observers that an application has nothing for."""
    check_list("observers", observers)
    example = f"Use for example {of._observer}"
    if any(callable(one) and not isinstance(one, type | Observer) for one in observers):
        example = "Wrap a function, as in au.Callback(function, every=100)"
    for one in observers:
        here = OF_PACKAGE.get(type(one).__name__)
        check_items("observers", [one], Observer, here or example, of._such_as)
        if one.needs and one.needs not in of._offers:
            raise bad_input(
                f"observers holds {one!r}",
                f"it needs {one.needs}, and simulations of this kind have none",
                example,
            )


def check_list(name: str, value: Any) -> None:
    """Refuse what is no list."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise bad_input(f"{name} is {value!r}", "it must be a list", f"Write {name}=[...]")


def check_items(
    name: str, items: Sequence[Any], kinds: Any, example: str, such_as: str, why: str | None = None
) -> None:
    """Refuse the first item that is of none of the kinds, `such_as` those of the examples."""
    for item in items:
        if not isinstance(item, kinds):
            raise bad_input(f"{name} holds {item!r}", why or not_a_spec(item, such_as), example)


def not_a_spec(item: Any, such_as: str) -> str:
    """Why `item` does not belong where it was given; specs `such_as` these do."""
    if isinstance(item, type):
        return f"that is the class; write {item.__name__}(...)"
    if isinstance(item, Spec):
        article = "an" if item.family[0] in "aeiou" else "a"
        return f"{article} {item.family} does not belong there"
    return f"only objects such as {such_as} belong there"


def check_device(device: Device, application: str, lacks: Mapping[str, str]) -> None:
    """Refuse settings of a device that an application does not have.

    Args:
        device: the device asked for
        application: what errors call it
        lacks: why it does not have a setting, by the name of the setting
    """
    for field in fields(device):
        value = getattr(device, field.name)
        if field.name in lacks and value != field.default:
            raise bad_input(
                f"{field.name} of the device is {value!r}",
                f"{application} has no such setting: {lacks[field.name]}",
                f"Leave {field.name} out",
            )
