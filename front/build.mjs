// Build: the bundles that the wheel carries, from the sources here; with --check, whether the committed ones are these.

import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const HERE = dirname(fileURLToPath(import.meta.url));
const BUNDLES = [
  { source: "src/film/film.ts", target: "../src/blockdyn/plots/films/web/film.js", global: "blockdynFilm" },
  { source: "src/finished/finished.ts", target: "../src/blockdyn/pages/built/finished.js", global: "blockdynFinished" },
  { source: "src/live/live.ts", target: "../src/blockdyn/pages/built/live.js", global: "blockdynLive" },
  { source: "src/simulated/simulated.ts", target: "../src/blockdyn/pages/built/simulated.js", global: "blockdynSimulated" },
  { source: "src/studio/studio.ts", target: "../src/blockdyn/pages/built/studio.js", global: "blockdynStudio" },
  { source: "src/studio/studio.css", target: "../src/blockdyn/pages/built/studio.css" },
  { source: "src/page/page.css", target: "../src/blockdyn/pages/built/page.css" },
];

async function bundled({ source, target, global }) {
  const result = await build({
    absWorkingDir: HERE,
    entryPoints: [source],
    outfile: target,
    bundle: true,
    write: false,
    minify: true,
    ...(global ? { format: "iife", globalName: global } : {}),
    target: "es2022",
    charset: "ascii", // a bundle stands in pages of any encoding
    legalComments: "none", // licences lie beside the bundles
    logLevel: "warning",
  });
  // inside a page nothing may end its script
  return Buffer.from(result.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3c!--"));
}

const stale = [];
// ELK is taken as it comes; what zlib makes of it differs from version to version, so that its text is compared
const elk = { source: "node_modules/elkjs/lib/elk-worker.min.js", target: "../src/blockdyn/drawing/built/elk.js.gz" };
const layout = await readFile(resolve(HERE, elk.source)), kept = resolve(HERE, elk.target);
const committedLayout = await readFile(kept).then(gunzipSync).catch(() => null);
if (!committedLayout?.equals(layout)) {
  stale.push(elk.target);
  if (!process.argv.includes("--check")) {
    await mkdir(dirname(kept), { recursive: true });
    await writeFile(kept, gzipSync(layout, { level: 9 }));
  }
}
for (const bundle of BUNDLES) {
  const target = resolve(HERE, bundle.target), fresh = await bundled(bundle);
  const committed = await readFile(target).catch(() => null);
  if (committed?.equals(fresh)) continue;
  stale.push(bundle.target);
  if (process.argv.includes("--check")) continue;
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, fresh);
}
if (process.argv.includes("--check") && stale.length) {
  console.error(`not what the sources build: ${stale.join(", ")}; run \`npm run build\` in front/ and commit`);
  process.exit(1);
}
