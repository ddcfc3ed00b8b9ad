# SPDX-License-Identifier: Apache-2.0
"""A page about a molecular run: one file of HTML with charts and a picture that turns."""
