/* SPDX-License-Identifier: Apache-2.0 */
// Numbers out of base64, and text that is safe within HTML.

const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
const unpack = {
  f8: text => new Float64Array(bytes(text)), f4: text => new Float32Array(bytes(text)),
  i2: text => new Int16Array(bytes(text)), u4: text => new Uint32Array(bytes(text)),
  u1: text => new Uint8Array(bytes(text)),
};
const safe = text => String(text).replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"})[c]);
