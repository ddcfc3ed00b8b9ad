/* SPDX-License-Identifier: Apache-2.0 */
// The picture as a widget of a notebook.

function render({model, el}) {
  el.classList.add("aureole-view");
  let shown;
  const show = () => {
    const before = shown && shown.view;
    if (shown) shown.release();
    el.innerHTML = `<div class="viewer"></div>`;
    shown = viewer(el.firstChild, {...model.get("scene")}, before);
  };
  // Its size is known once it is in the page.
  const first = new ResizeObserver(() => { if (el.clientWidth) { first.disconnect(); show(); } });
  first.observe(el);
  const later = () => { if (shown) show(); };
  model.on("change:scene", later);
  return () => { model.off("change:scene", later); first.disconnect(); if (shown) shown.release(); };
}
export default {render};
