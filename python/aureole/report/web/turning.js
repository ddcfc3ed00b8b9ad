/* SPDX-License-Identifier: Apache-2.0 */
// Turns a picture by pointers and keys, and has its buttons.

const product = (a, b) => [0, 1, 2, 3, 4, 5, 6, 7, 8].map(k => {
  const row = 3 * Math.floor(k / 3), column = k % 3;
  return a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6];
});
const turned = (x, y) => {
  const [cx, sx, cy, sy] = [Math.cos(x), Math.sin(x), Math.cos(y), Math.sin(y)];
  return product([1, 0, 0, 0, cx, -sx, 0, sx, cx], [cy, 0, sy, 0, 1, 0, -sy, 0, cy]);
};

// Draws a scene into an element; `before` is the view of another one that it takes the place of.
function viewer(place, scene, before) {
  for (const [name, kind] of [["position", "i2"], ["element", "u1"], ["water", "u1"], ["bonds", "u4"]]) scene[name] = unpack[kind](scene[name]);
  const waters = scene.water.reduce((sum, w) => sum + w, 0), mixed = waters > 0 && waters < scene.n;
  const reach = Math.max(.1, ...edges(scene.box).map(e => Math.hypot(e[0], e[1], e[2])));
  const view = {reach, focal: 3.55, turn: turned(.26, -.5), style: mixed || scene.n < 30000 ? "balls" : "spheres", water: mixed && scene.n - waters > 12 ? "faint" : "on", size: 1, box: scene.periodic, paper: [1, 1, 1]};
  if (!scene.bonds.length) view.style = "spheres";
  place.innerHTML = `<canvas tabindex="0" role="img" aria-label="The last frame; drag or use the arrow keys to rotate it"></canvas><div class="legend"></div>`;
  const [canvas, legend] = place.children, tools = document.createElement("div");
  tools.className = "tools";
  place.after(tools);
  legend.innerHTML = scene.elements.map(e => `<span><i style="background:${safe(e.colour)}"></i>${safe(e.name)} ${e.count.toLocaleString("en")}</span>`).join("");
  let painter;
  try { painter = new GLPainter(canvas, scene); place.dataset.painter = "webgl"; } catch (why) {
    const fresh = canvas.cloneNode(); canvas.replaceWith(fresh);
    painter = new FlatPainter(fresh, scene); place.dataset.painter = "flat"; place.dataset.why = why.message;
  }
  const area = place.firstChild, flat = place.dataset.painter === "flat";
  if (flat && view.water === "faint") view.water = "off";
  const start = fitted(view, edges(scene.box), area.clientWidth || 1, area.clientHeight || 1);
  Object.assign(view, start, before);
  let waiting = 0, rest = 0, moving = false;
  const paint = () => {
    waiting = 0;
    view.paper = getComputedStyle(place).backgroundColor.match(/[\d.]+/g).slice(0, 3).map(v => v / 255);
    painter.draw(view, moving);
  };
  const later = (active = false) => {
    moving = active;
    if (!waiting) waiting = requestAnimationFrame(paint);
    clearTimeout(rest);
    if (active) rest = setTimeout(() => later(), 180);
  };
  painter.again = paint;
  const size = new ResizeObserver(() => later());
  size.observe(area);
  follow(area, view, later);
  controls(tools, view, start, {faint: mixed && !flat, waters, bonds: scene.bonds.length > 0}, () => later());
  // Browsers hold few pictures of WebGL: one that is no longer shown gives its own back.
  const release = () => {
    size.disconnect(); cancelAnimationFrame(waiting); clearTimeout(rest); tools.remove();
    waiting = 1; painter.again = null;
    const lose = painter.gl && painter.gl.getExtension("WEBGL_lose_context");
    if (lose) lose.loseContext();
  };
  return {paint, view, release};
}

// Where to look from, so that the box fills the picture below the legend.
function fitted(view, lines, width, height) {
  const corners = lines.flatMap(e => [e.slice(0, 3), e.slice(3)]).map(p => [0, 3, 6].map(k => view.turn[k] * p[0] + view.turn[k + 1] * p[1] + view.turn[k + 2] * p[2]));
  const short = Math.min(width, height), wide = width / short, tall = height / short, head = 60 / short;
  const at = {turn: view.turn, distance: 4 * view.reach, pan: [0, 0]};
  for (let pass = 0; pass < 12; pass++) {
    const half = at.distance / view.focal, [x, y] = [0, 1].map(k => {
      const seen = corners.map(q => (q[k] + at.pan[k]) / (at.distance - q[2]) * view.focal);
      return [Math.min(...seen), Math.max(...seen)];
    });
    at.pan = [at.pan[0] - (x[0] + x[1]) / 2 * half, at.pan[1] - ((y[0] + y[1]) / 2 + head / 2) * half];
    at.distance *= Math.max((x[1] - x[0]) / (1.9 * wide), (y[1] - y[0]) / (1.92 * tall - head)) ** .8;
  }
  return at;
}

function follow(area, view, later) {
  const held = new Map();
  const zoom = by => { view.distance = Math.min(12 * view.reach, Math.max(.15 * view.reach, view.distance * by)); };
  const move = (dx, dy) => {
    const part = 2 * view.distance / (view.focal * Math.min(area.clientWidth, area.clientHeight));
    view.pan = [view.pan[0] + dx * part, view.pan[1] - dy * part];
  };
  const spin = (dx, dy) => { view.turn = product(turned(dy * .008, dx * .008), view.turn); };
  area.addEventListener("contextmenu", e => e.preventDefault());
  area.addEventListener("pointerdown", e => { area.setPointerCapture(e.pointerId); held.set(e.pointerId, e); });
  for (const name of ["pointerup", "pointercancel"]) area.addEventListener(name, e => { held.delete(e.pointerId); later(); });
  area.addEventListener("pointermove", e => {
    const before = held.get(e.pointerId);
    if (!before) return;
    const dx = e.clientX - before.clientX, dy = e.clientY - before.clientY;
    if (held.size === 2) {
      const other = [...held.entries()].find(([id]) => id !== e.pointerId)[1];
      const far = p => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY) || 1;
      zoom(far(before) / far(e));
      move(dx / 2, dy / 2);
    } else if (e.buttons & 2 || e.shiftKey) move(dx, dy);
    else spin(dx, dy);
    held.set(e.pointerId, e);
    later(true);
  });
  area.addEventListener("wheel", e => { e.preventDefault(); zoom(Math.exp(Math.max(-80, Math.min(80, e.deltaY * (e.deltaMode ? 20 : 1))) * .002)); later(true); }, {passive: false});
  area.addEventListener("keydown", e => {
    const keys = {ArrowLeft: () => spin(-12, 0), ArrowRight: () => spin(12, 0), ArrowUp: () => spin(0, -12), ArrowDown: () => spin(0, 12), "+": () => zoom(.9), "=": () => zoom(.9), "-": () => zoom(1 / .9)};
    if (keys[e.key]) { e.preventDefault(); keys[e.key](); later(true); }
  });
}

function controls(tools, view, start, has, paint) {
  const set = (name, choices) => {
    const group = document.createElement("div");
    group.className = "set"; group.setAttribute("role", "group"); group.setAttribute("aria-label", name);
    group.innerHTML = (name === "water" ? "<span>water</span>" : "") + choices.map(word => `<button type="button" data-value="${word}">${word}</button>`).join("");
    const mark = () => group.querySelectorAll("button").forEach(b => b.setAttribute("aria-pressed", String(b.dataset.value === view[name])));
    group.addEventListener("click", e => { if (e.target.dataset.value) { view[name] = e.target.dataset.value; mark(); paint(); } });
    mark();
    tools.append(group);
  };
  set("style", has.bonds ? ["balls", "sticks", "spheres"] : ["balls", "spheres"]);
  if (has.waters) set("water", has.faint ? ["on", "faint", "off"] : ["on", "off"]);
  const more = document.createElement("div");
  more.className = "set";
  more.innerHTML = `<span>size</span><input type="range" min="0.3" max="2" step="0.02" value="${view.size}" aria-label="size of atoms and bonds"><button type="button" aria-pressed="${view.box}">box</button><button type="button">reset</button>`;
  const [, slider, box, reset] = more.children;
  slider.addEventListener("input", () => { view.size = +slider.value; paint(); });
  box.addEventListener("click", () => { view.box = !view.box; box.setAttribute("aria-pressed", String(view.box)); paint(); });
  reset.addEventListener("click", () => { Object.assign(view, {...start, size: 1}); slider.value = 1; paint(); });
  tools.append(more);
}
