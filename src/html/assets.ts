// The style sheets, scripts, icons and fonts of all pages. An asset's address has a hash of its content. So browsers may cache the asset, and
// a page of a new version never uses the style sheet of an old one. A style sheet is served as one file with those that it imports.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';

export interface Asset {
  readonly name: string;
  readonly path: string;
  readonly type: 'text/css' | 'text/javascript' | 'image/svg+xml' | 'font/woff2';
  readonly body: string | Buffer;
}

/** Style sheets come last, because they contain the addresses of others: `url("inter.woff2")` becomes that asset's address. */
const TYPES: Readonly<Record<string, Asset['type']>> = {
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** What pages load. Another style sheet is a part of one of these, and another .js file is a compiled module of the package. */
const LOADED: readonly string[] = [
  'console.css',
  'style.css',
  'questions.css',
  'recipient.css',
  'email-preview.css',
  'console.js',
  'finder.js',
  'api-trigger.js',
  'week-painter.js',
  'unsent-answers.js',
  'question-editor.js',
];

/** Assets by name. Their files are in the folders of the views that use them. */
export const ASSETS: ReadonlyMap<string, Asset> = readAssets();

function readAssets(): Map<string, Asset> {
  const files = ['./', '../console/', '../recipient/'].flatMap((folder) =>
    readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: 'utf8' }).map((file) => folder + file),
  );
  const assets = new Map<string, Asset>();
  for (const [extension, type] of Object.entries(TYPES)) {
    for (const file of files) {
      const name = basename(file);
      if (extname(file) !== extension || (/\.(css|js)$/.test(name) && !LOADED.includes(name))) continue;
      const body = readBody(new URL(file, import.meta.url), type, assets);
      const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
      assets.set(name, { name, type, body, path: `/assets/${basename(name, extension)}.${hash}${extension}` });
    }
  }
  return assets;
}

function readBody(file: URL, type: Asset['type'], assets: ReadonlyMap<string, Asset>): string | Buffer {
  if (type === 'font/woff2') return readFileSync(file);
  if (type !== 'text/css') return readFileSync(file, 'utf8');
  return minified(readSheet(file)).replaceAll(/url\("([^":]+)"\)/g, (_, name: string) => `url("${pathOf(name, assets)}")`);
}

/** A style sheet, with those that it imports in their places. */
function readSheet(file: URL): string {
  return readFileSync(file, 'utf8').replaceAll(/@import "([^"]+)";/g, (_, part: string) => readSheet(new URL(part, file)));
}

/** Without comments and the spaces that CSS doesn't need. */
function minified(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/;}/g, '}')
    .trim();
}

/** The address of an asset. */
export const asset = (name: string): string => pathOf(name, ASSETS);

function pathOf(name: string, assets: ReadonlyMap<string, Asset>): string {
  const found = assets.get(name);
  if (found === undefined) throw new Error(`no asset ${name}`);
  return found.path;
}
