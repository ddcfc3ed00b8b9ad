/* SPDX-License-Identifier: Apache-2.0 */
// The picture that turns: spheres and cylinders drawn exactly, on a WebGL canvas.

const SHARED = `#version 300 es
precision highp float;
uniform mat3 turn; uniform vec3 shift; uniform vec2 focal; uniform vec2 planes; uniform vec3 paper; uniform vec2 fog;
vec3 seen(vec3 p) { return turn * p + shift; }
vec4 project(vec3 q) {
  return vec4(q.xy * focal, (q.z * (planes.y + planes.x) + 2. * planes.y * planes.x) / (planes.x - planes.y), -q.z);
}
float depth(vec3 q) { vec4 p = project(q); return .5 * p.z / p.w + .5; }
vec3 lit(vec3 colour, vec3 n, vec3 q) {
  float soft = .5 + .5 * dot(n, normalize(vec3(-.45, .65, .62)));
  float face = max(0., dot(n, -normalize(q)));
  float glint = pow(max(0., dot(n, normalize(normalize(vec3(-.45, .65, .62)) - normalize(q)))), 42.);
  vec3 c = colour * (.42 + .70 * soft * soft) * (.66 + .34 * smoothstep(0., .5, face)) + .12 * glint;
  return mix(c, paper, fog.y * smoothstep(0., 1., (-q.z - fog.x) / (planes.y - fog.x)));
}
`;
const SPHERE = [`${SHARED}
uniform float extent, size, faint; uniform vec4 palette[32];
in vec3 place; in float element; in float water;
out vec3 ray; flat out vec3 middle; flat out float radius, weight; flat out vec3 colour;
void main() {
  vec4 kind = palette[int(element)];
  middle = seen(place * extent); colour = kind.rgb; radius = kind.a * size; weight = 1.;
  if (water > .5 && faint > .5) { radius = faint > 1.5 ? 0. : .008; colour = mix(colour, paper, .62); weight = 0.; }
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2. - 1.;
  float d = length(middle);
  vec3 to = -middle / d, side = normalize(cross(vec3(0., 1., 0.), to)), up = cross(to, side);
  ray = middle + (side * corner.x + up * corner.y) * radius * d / sqrt(max(1e-6, d * d - radius * radius));
  gl_Position = radius > 0. ? project(ray) : vec4(2., 2., 2., 1.);
}`, `${SHARED}
in vec3 ray; flat in vec3 middle; flat in float radius, weight; flat in vec3 colour; out vec4 shade;
void main() {
  vec3 way = normalize(ray);
  float along = dot(way, middle), rest = along * along - dot(middle, middle) + radius * radius;
  if (rest < 0.) discard;
  vec3 hit = way * (along - sqrt(rest));
  if (-hit.z < planes.x) discard;
  gl_FragDepth = depth(hit);
  shade = vec4(lit(colour, (hit - middle) / radius, hit), weight);
}`];
const STICK = [`${SHARED}
uniform float size, faint; uniform vec4 palette[32];
in vec3 from; in vec3 to; in vec4 kinds;
out vec3 flank; out vec2 at; flat out vec3 side, front, first, second; flat out float radius, weight;
void main() {
  vec3 a = seen(from), b = seen(to), axis = b - a;
  radius = kinds.w > .5 ? kinds.w : size; first = palette[int(kinds.x)].rgb; second = palette[int(kinds.y)].rgb; weight = 1.;
  if (kinds.z > .5 && faint > .5) { radius = faint > 1.5 ? 0. : .008; first = mix(first, paper, .62); second = mix(second, paper, .62); weight = 0.; }
  if (kinds.z < -.5) { radius = kinds.w; first = second = mix(paper, vec3(.5), .8); weight = 0.; }
  at = vec2(gl_VertexID & 1, float(gl_VertexID >> 1) * 2. - 1.);
  side = normalize(cross(axis, -(a + b))); front = normalize(cross(side, axis));
  flank = mix(a, b, at.x) + side * at.y * radius;
  gl_Position = radius > 0. ? project(flank) : vec4(2., 2., 2., 1.);
}`, `${SHARED}
in vec3 flank; in vec2 at; flat in vec3 side, front, first, second; flat in float radius, weight; out vec4 shade;
void main() {
  float out_of = sqrt(max(0., 1. - at.y * at.y));
  vec3 hit = flank + front * radius * out_of;
  if (-hit.z < planes.x) discard;
  gl_FragDepth = depth(hit);
  shade = vec4(lit(at.x < .5 ? first : second, side * at.y + front * out_of, hit), weight);
}`];
// Corners between atoms are darker: depths on both sides of a point, nearer than it on the whole.
const FINISH = [`#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4. - 1., 0., 1.); }`, `#version 300 es
precision highp float;
uniform sampler2D picture; uniform highp sampler2D depths; uniform vec2 planes; uniform float scale, near_by; uniform int fine;
out vec4 shade;
float far(ivec2 p) {
  float d = texelFetch(depths, clamp(p, ivec2(0), textureSize(depths, 0) - 1), 0).r;
  return planes.x * planes.y / (planes.y - d * (planes.y - planes.x));
}
float open(ivec2 p) {
  float here = far(p), sum = 0., turn = fract(52.9829189 * fract(dot(vec2(p), vec2(.06711056, .00583715)))) * 6.2832;
  for (int k = 0; k < 10; k++) {
    float r = near_by * (.12 + .88 * (float(k) + .5) / 10.), angle = turn + 2.39996 * float(k);
    vec2 offset = clamp(scale * r / here, 1.5, 90.) * vec2(cos(angle), sin(angle));
    vec2 rise = vec2(here - far(p + ivec2(offset)), here - far(p - ivec2(offset)));
    rise = mix(rise, vec2(0.), smoothstep(vec2(1.5 * near_by), vec2(4. * near_by), rise));
    sum += clamp((max(rise.x, -r) + max(rise.y, -r)) / r, 0., 1.);
  }
  return 1. - .62 * sum / 10.;
}
void main() {
  vec3 sum = vec3(0.);
  for (int k = 0; k < fine * fine; k++) {
    ivec2 p = ivec2(gl_FragCoord.xy) * fine + ivec2(k % fine, k / fine);
    vec4 at = texelFetch(picture, p, 0);
    sum += at.rgb * mix(1., open(p), at.a);
  }
  shade = vec4(sum / float(fine * fine), 1.);
}`];
const STYLES = {
  balls: {atoms: .26, bonds: .032}, spheres: {atoms: 1, bonds: 0}, sticks: {atoms: 0, bonds: .036},
};
const CORNERS = [[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 6], [5, 7], [6, 7]];

// Ends of the edges of the box, six numbers each.
function edges(box) {
  const corner = k => [0, 1, 2].map(axis => [0, 1, 2].reduce((sum, v) => sum + ((k >> v & 1) - .5) * box[3 * v + axis], 0));
  return CORNERS.map(([a, b]) => [...corner(a), ...corner(b)]);
}

const rgb = text => [1, 3, 5].map(k => parseInt(text.slice(k, k + 2), 16) / 255);

class GLPainter {
  constructor(canvas, scene) {
    this.gl = canvas.getContext("webgl2", {antialias: false, preserveDrawingBuffer: true, powerPreference: "high-performance"});
    if (!this.gl) throw new Error("no WebGL");
    const about = this.gl.getExtension("WEBGL_debug_renderer_info");
    const device = about ? String(this.gl.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
    this.slow = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(device);
    if (scene.n > 15000 && this.slow) throw new Error("WebGL in software is slow");
    [this.canvas, this.scene] = [canvas, scene];
    canvas.addEventListener("webglcontextlost", e => e.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { this.build(); if (this.again) this.again(); });
    this.build();
  }

  build() {
    const gl = this.gl, scene = this.scene;
    [this.sphere, this.stick, this.finish] = [SPHERE, STICK, FINISH].map(sources => this.program(sources));
    this.target = null;
    this.spheres = gl.createVertexArray();
    gl.bindVertexArray(this.spheres);
    this.column(this.sphere, "place", scene.position, 3, gl.SHORT, true);
    this.column(this.sphere, "element", scene.element, 1, gl.UNSIGNED_BYTE);
    this.column(this.sphere, "water", scene.water, 1, gl.UNSIGNED_BYTE);
    const m = scene.bonds.length / 2, box = edges(scene.box), ends = new Float32Array(6 * (m + 12)), kinds = new Float32Array(4 * (m + 12));
    const unit = scene.extent / 32767;
    for (let k = 0; k < m; k++) {
      const a = scene.bonds[2 * k], b = scene.bonds[2 * k + 1];
      for (let x = 0; x < 3; x++) { ends[6 * k + x] = scene.position[3 * a + x] * unit; ends[6 * k + 3 + x] = scene.position[3 * b + x] * unit; }
      kinds.set([scene.element[a], scene.element[b], scene.water[a], 0], 4 * k);
    }
    const thin = .0011 * Math.max(...box[0].map(Math.abs), ...box[11].map(Math.abs)) * 2;
    box.forEach((edge, k) => { ends.set(edge, 6 * (m + k)); kinds.set([0, 0, -1, thin], 4 * (m + k)); });
    [this.m, this.n] = [m, scene.n];
    this.ends = gl.createBuffer(); this.kinds = gl.createBuffer();
    this.sticks = [this.sticksFrom(0, ends, kinds), this.sticksFrom(m)];
    this.empty = gl.createVertexArray();
    gl.bindVertexArray(null);
  }

  // Bonds and edges share buffers; `first` says where the edges begin.
  sticksFrom(first, ends, kinds) {
    const gl = this.gl, array = gl.createVertexArray(), p = this.stick;
    gl.bindVertexArray(array);
    const point = (buffer, name, size, stride, offset) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      const at = gl.getAttribLocation(p, name);
      gl.enableVertexAttribArray(at); gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride, offset + first * stride); gl.vertexAttribDivisor(at, 1);
    };
    gl.bindBuffer(gl.ARRAY_BUFFER, this.ends); if (ends) gl.bufferData(gl.ARRAY_BUFFER, ends, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.kinds); if (kinds) gl.bufferData(gl.ARRAY_BUFFER, kinds, gl.STATIC_DRAW);
    point(this.ends, "from", 3, 24, 0); point(this.ends, "to", 3, 24, 12); point(this.kinds, "kinds", 4, 16, 0);
    return array;
  }

  program(sources) {
    const gl = this.gl, program = gl.createProgram();
    sources.forEach((source, k) => {
      const shader = gl.createShader(k ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
      gl.shaderSource(shader, source); gl.compileShader(shader); gl.attachShader(program, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader));
    });
    gl.linkProgram(program);
    return program;
  }

  column(program, name, values, size, type, normal = false) {
    const gl = this.gl, at = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(at); gl.vertexAttribPointer(at, size, type, normal, 0, 0); gl.vertexAttribDivisor(at, 1);
  }

  draw(view, moving) {
    const gl = this.gl, {canvas, scene} = this, style = STYLES[view.style];
    if (gl.isContextLost()) return;
    const dense = window.devicePixelRatio || 1, fine = moving || this.slow || dense > 1.6 ? 1 : 2;
    const seen = [Math.round(canvas.clientWidth * dense), Math.round(canvas.clientHeight * dense)];
    if (canvas.width !== seen[0] || canvas.height !== seen[1]) [canvas.width, canvas.height] = seen;
    const [width, height] = [seen[0] * fine, seen[1] * fine];
    this.aim(width, height);
    gl.viewport(0, 0, width, height);
    gl.clearColor(...view.paper, 0); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    const far = view.distance + view.reach * 1.3, near = Math.max(.02 * view.reach, view.distance - view.reach * 1.3);
    const f = view.focal, tall = height / width, focal = tall < 1 ? [f * tall, f] : [f, f / tall];
    const palette = new Float32Array(128);
    scene.elements.forEach((e, k) => palette.set([...rgb(e.colour), e.radius], 4 * k));
    const faint = {on: 0, faint: 1, off: 2}[view.water];
    for (const program of [this.sphere, this.stick]) {
      const u = name => gl.getUniformLocation(program, name);
      gl.useProgram(program);
      gl.uniformMatrix3fv(u("turn"), true, view.turn); gl.uniform3f(u("shift"), view.pan[0], view.pan[1], -view.distance);
      gl.uniform2f(u("focal"), ...focal); gl.uniform2f(u("planes"), near, far); gl.uniform3f(u("paper"), ...view.paper);
      gl.uniform2f(u("fog"), Math.max(near, view.distance - .55 * view.reach), .72); gl.uniform1f(u("faint"), faint); gl.uniform4fv(u("palette"), palette);
      if (program === this.sphere) gl.uniform1f(u("extent"), scene.extent);
      gl.uniform1f(u("size"), (program === this.sphere ? style.atoms : style.bonds) * view.size);
    }
    // Sticks end in spheres as thick as they are, whatever the element.
    if (view.style === "sticks") for (let k = 0; k < scene.elements.length; k++) palette[4 * k + 3] = style.bonds;
    gl.useProgram(this.sphere);
    if (view.style === "sticks") { gl.uniform4fv(gl.getUniformLocation(this.sphere, "palette"), palette); gl.uniform1f(gl.getUniformLocation(this.sphere, "size"), view.size); }
    gl.bindVertexArray(this.spheres);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.n);
    gl.useProgram(this.stick);
    if (this.m && (style.bonds || faint === 1)) { gl.bindVertexArray(this.sticks[0]); gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.m); }
    if (view.box) { gl.bindVertexArray(this.sticks[1]); gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, 12); }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, ...seen);
    gl.disable(gl.DEPTH_TEST);
    gl.useProgram(this.finish);
    const u = name => gl.getUniformLocation(this.finish, name);
    gl.uniform1i(u("picture"), 0); gl.uniform1i(u("depths"), 1); gl.uniform1i(u("fine"), fine);
    gl.uniform2f(u("planes"), near, far); gl.uniform1f(u("scale"), focal[1] * height / 2); gl.uniform1f(u("near_by"), .55);
    gl.activeTexture(gl.TEXTURE0); gl.bindTexture(gl.TEXTURE_2D, this.target.colour);
    gl.activeTexture(gl.TEXTURE1); gl.bindTexture(gl.TEXTURE_2D, this.target.depth);
    gl.bindVertexArray(this.empty);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.bindVertexArray(null);
  }

  // Draw into textures of that size.
  aim(width, height) {
    const gl = this.gl;
    if (this.target && this.target.width === width && this.target.height === height) { gl.bindFramebuffer(gl.FRAMEBUFFER, this.target.frame); return; }
    if (this.target) { gl.deleteTexture(this.target.colour); gl.deleteTexture(this.target.depth); gl.deleteFramebuffer(this.target.frame); }
    const texture = format => {
      const made = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, made);
      gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
      for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
      return made;
    };
    this.target = {width, height, colour: texture(gl.RGBA8), depth: texture(gl.DEPTH_COMPONENT24), frame: gl.createFramebuffer()};
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.target.colour, 0);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.target.depth, 0);
  }
}
