/* SPDX-License-Identifier: Apache-2.0 */
// The same picture where there is no WebGL: shaded discs, the far ones first.

const BINS = 1024, FEW = 6000;

class FlatPainter {
  constructor(canvas, scene) {
    [this.canvas, this.scene] = [canvas, scene];
    this.context = canvas.getContext("2d", {alpha: false});
    this.sprites = scene.elements.map(e => FlatPainter.sprite(e.colour));
    this.order = new Uint32Array(scene.n);
    this.screen = new Float32Array(3 * scene.n);
  }

  static sprite(colour) {
    const size = 64, canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    canvas.width = canvas.height = size;
    const [r, g, b] = rgb(colour).map(v => 255 * v), shade = part => `rgb(${[r, g, b].map(v => Math.round(Math.min(255, v * part)))})`;
    const light = pen.createRadialGradient(.36 * size, .32 * size, 0, .5 * size, .5 * size, .5 * size);
    [[0, 1.18], [.5, .92], [.85, .62], [1, .42]].forEach(([at, part]) => light.addColorStop(at, shade(part)));
    pen.fillStyle = light;
    pen.beginPath(); pen.arc(size / 2, size / 2, size / 2 - .5, 0, 7); pen.fill();
    return canvas;
  }

  // Screen x, y and depth of a place.
  seen(view, p) {
    const t = view.turn, q = [0, 1, 2].map(k => t[3 * k] * p[0] + t[3 * k + 1] * p[1] + t[3 * k + 2] * p[2]);
    const z = view.distance - q[2], f = this.scale / z;
    return [this.width / 2 + (q[0] + view.pan[0]) * f, this.height / 2 - (q[1] + view.pan[1]) * f, z];
  }

  draw(view, moving) {
    const {canvas, context, scene, screen} = this, dense = moving ? 1 : window.devicePixelRatio || 1;
    canvas.width = this.width = Math.round(canvas.clientWidth * dense);
    canvas.height = this.height = Math.round(canvas.clientHeight * dense);
    this.scale = view.focal * Math.min(this.width, this.height) / 2;
    context.fillStyle = `rgb(${view.paper.map(v => Math.round(255 * v))})`;
    context.fillRect(0, 0, this.width, this.height);
    const box = edges(scene.box).map(e => [this.seen(view, e.slice(0, 3)), this.seen(view, e.slice(3))]);
    // Edges behind the middle first, the others over the atoms.
    const line = ends => { context.beginPath(); context.moveTo(ends[0][0], ends[0][1]); context.lineTo(ends[1][0], ends[1][1]); context.stroke(); };
    context.strokeStyle = "#8a93a0"; context.lineWidth = dense;
    const behind = e => e[0][2] + e[1][2] > 2 * view.distance;
    if (view.box) box.filter(behind).forEach(line);
    const unit = scene.extent / 32767, step = moving && scene.n > FEW ? Math.ceil(scene.n / FEW) : 1;
    const near = view.distance - view.reach, size = 2 * view.reach / BINS, counts = new Uint32Array(BINS + 1);
    const bin = z => Math.min(BINS - 1, Math.max(0, BINS - 1 - Math.floor((z - near) / size)));
    const shown = i => view.water === "on" || !scene.water[i];
    for (let i = 0; i < scene.n; i += step) {
      if (!shown(i)) continue;
      const p = this.seen(view, [0, 1, 2].map(k => scene.position[3 * i + k] * unit));
      screen.set(p, 3 * i);
      counts[bin(p[2]) + 1]++;
    }
    for (let k = 0; k < BINS; k++) counts[k + 1] += counts[k];
    const total = counts[BINS];
    for (let i = 0; i < scene.n; i += step) if (shown(i)) this.order[counts[bin(screen[3 * i + 2])]++] = i;
    const part = {balls: .45, spheres: 1, sticks: .22}[view.style] * view.size;
    for (let k = 0; k < total; k++) {
      const i = this.order[k], z = screen[3 * i + 2];
      if (z < .05) continue;
      const r = scene.elements[scene.element[i]].radius * part * this.scale / z;
      context.globalAlpha = Math.min(1, Math.max(.35, 1.1 - .6 * (z - near) / (2 * view.reach)));
      context.drawImage(this.sprites[scene.element[i]], screen[3 * i] - r, screen[3 * i + 1] - r, 2 * r, 2 * r);
    }
    context.globalAlpha = 1;
    if (view.box) box.filter(e => !behind(e)).forEach(line);
  }
}
