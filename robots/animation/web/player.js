// Player: the camera that goes round the scene, and the controls of time.

const canvas = by("view");
let renderer = null;
try {
  renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
} catch (error) {
  by("note").textContent = "This page needs WebGL, which this browser does not give.";
  throw error;
}
renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
renderer.shadowMap.enabled = true;
renderer.shadowMap.type = THREE.PCFSoftShadowMap;
const camera = new THREE.PerspectiveCamera(32, 1, 0.002 * span, 20 * span);
camera.up.set(0, 0, 1);
stage();
const films = data.films.map(film);

// ---- the camera ----

const home = { elevation: data.view[0], azimuth: data.view[1], distance: 0, target: middle.clone() };
const eye = { ...home, target: middle.clone() };
let following = false;

function outwards({ elevation, azimuth }) {
  const level = Math.cos(elevation);
  return new THREE.Vector3(level * Math.cos(azimuth), level * Math.sin(azimuth), Math.sin(elevation));
}

/** The distance from which the whole room is seen. */
function fit() {
  const out = outwards(home), right = new THREE.Vector3(0, 0, 1).cross(out).normalize();
  const up = out.clone().cross(right), high = 0.86 * Math.tan((camera.fov * Math.PI) / 360);
  home.distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const at = new THREE.Vector3(...[0, 1, 2].map((i) => ((corner >> i) & 1 ? data.high : data.low)[i])).sub(middle);
    const needed = Math.max(Math.abs(at.dot(right)) / camera.aspect, Math.abs(at.dot(up))) / high;
    home.distance = Math.max(home.distance, needed + at.dot(out));
  }
}

function look() {
  camera.position.copy(eye.target).addScaledVector(outwards(eye), eye.distance);
  camera.lookAt(eye.target);
}

function reset() {
  follow(false);
  Object.assign(eye, { ...home, target: home.target.clone() });
}

function centre() {
  const sum = films.reduce((total, one) => total.add(one.tip), new THREE.Vector3());
  return sum.divideScalar(films.length);
}

function follow(on) {
  following = on;
  by("follow").setAttribute("aria-pressed", String(on));
  if (on) eye.distance = Math.min(eye.distance, 7 * Math.max(...films.map((one) => one.extent)));
  else eye.target.copy(home.target);
}

const fingers = new Map();

function rotate(dx, dy) {
  eye.azimuth -= (2.6 * dx) / canvas.clientHeight;
  eye.elevation = Math.max(-1.55, Math.min(1.55, eye.elevation + (2.6 * dy) / canvas.clientHeight));
}

function pan(dx, dy) {
  const scale = (2 * eye.distance * Math.tan((camera.fov * Math.PI) / 360)) / canvas.clientHeight;
  const right = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 0);
  const up = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 1);
  eye.target.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
}

function zoom(factor) {
  eye.distance = Math.max(0.01 * span, Math.min(8 * span, eye.distance * factor));
}

canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
});
for (const name of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
}
canvas.addEventListener("pointermove", (event) => {
  const was = fingers.get(event.pointerId);
  if (!was) return;
  const dx = event.clientX - was[0], dy = event.clientY - was[1];
  const other = [...fingers].find(([id]) => id !== event.pointerId);
  if (other) {
    const apart = (at) => Math.hypot(at[0] - other[1][0], at[1] - other[1][1]);
    zoom(apart(was) / Math.max(1, apart([event.clientX, event.clientY])));
    pan(dx / 2, dy / 2);
  } else if (event.shiftKey || event.buttons & 6) pan(dx, dy);
  else rotate(dx, dy);
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
});
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(0.0012 * event.deltaY));
}, { passive: false });
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("dblclick", reset);

// ---- time ----

let now = first, playing = last > first, seen = null, drawn = "";

function play(on) {
  playing = on && last > first;
  by("play").textContent = playing ? "Pause" : "Play";
}

function shown(t) {
  const i = before(times, t), next = Math.min(i + 1, times.length - 1);
  const s = times[next] > times[i] ? Math.min(1, (t - times[i]) / (times[next] - times[i])) : 0;
  for (const one of films) one.show(i, s, t);
  by("time").value = t;
  by("clock").textContent = `${t.toFixed(2)} of ${last.toFixed(2)} s`;
}

function resize() {
  const { clientWidth, clientHeight } = canvas;
  const size = renderer.getSize(new THREE.Vector2());
  if (size.x === clientWidth && size.y === clientHeight) return;
  const whole = eye.distance === home.distance;
  renderer.setSize(clientWidth, clientHeight, false);
  camera.aspect = clientWidth / Math.max(1, clientHeight);
  camera.updateProjectionMatrix();
  fit();
  if (whole) eye.distance = home.distance;
}

function frame(clock) {
  const passed = seen === null ? 0 : Math.min(0.25, (clock - seen) / 1000);
  seen = clock;
  if (playing) {
    now += passed * Number(by("speed").value);
    if (now > last) now = first;
  }
  requestAnimationFrame(frame);
  resize();
  shown(now);
  if (following) eye.target.copy(centre());
  const state = JSON.stringify([now, eye, canvas.clientWidth, canvas.clientHeight]);
  if (state === drawn) return; // what has not changed is not drawn again
  drawn = state;
  look();
  renderer.render(scene, camera);
}

// ---- what is written, and the controls ----

by("title").textContent = data.title;
by("note").textContent = `grid ${data.step} m`;
const keys = data.films.map((one, i) => [data.labels[i], one.trail]);
if (data.films.some((one) => one.reference)) keys.push(["wanted", data.grey]);
for (const [label, color] of keys) {
  const entry = document.createElement("span"), line = document.createElement("i");
  line.style.borderTopColor = color;
  entry.append(line, label);
  by("key").append(entry);
}
const speeds = [...new Set([0.1, 0.25, 0.5, 1, 2, 4, 10, data.speed])].sort((a, b) => a - b);
for (const speed of speeds) by("speed").append(new Option(`${speed} \u00d7`, speed, false, speed === data.speed));
Object.assign(by("time"), { min: first, max: last });
by("time").addEventListener("input", () => { now = Number(by("time").value); play(false); });
by("play").addEventListener("click", () => play(!playing));
by("follow").addEventListener("click", () => follow(!following));
by("home").addEventListener("click", reset);
addEventListener("keydown", (event) => {
  if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey) return;
  const step = (last - first) / 200;
  if (event.key === " ") play(!playing);
  else if (event.key === "ArrowLeft") now = Math.max(first, now - step);
  else if (event.key === "ArrowRight") now = Math.min(last, now + step);
  else if (event.key === "f") follow(!following);
  else if (event.key === "r") reset();
  else return;
  event.preventDefault();
});
const asked = new URLSearchParams(location.hash.slice(1));
if (asked.has("t")) {
  now = Math.max(first, Math.min(last, Number(asked.get("t")) || first));
  play(false);
} else play(true);
resize();
reset();
shown(now);
if (asked.has("follow")) follow(true);
requestAnimationFrame(frame);
