// The style sheets, scripts and icons of all pages. An asset's address has a hash of its content. So browsers may cache the asset, and a
// page of a new version never uses the style sheet of an old one.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';

export interface Asset {
  readonly name: string;
  readonly path: string;
  readonly type: 'text/css' | 'text/javascript' | 'image/svg+xml';
  readonly body: string;
}

const TYPES: Readonly<Record<string, Asset['type']>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** Scripts for browsers. Every other .js file is a compiled module of the package. */
const SCRIPTS: readonly string[] = ['console.js', 'api-trigger.js', 'week-painter.js', 'unsent-answers.js'];

/** Assets by name. Their files are in the folders of the views that use them. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map(
  ['./', '../console/', '../recipient/'].flatMap((folder) =>
    readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: 'utf8' }).flatMap((file): [string, Asset][] => {
      const [name, extension] = [basename(file), extname(file)];
      const type = TYPES[extension];
      if (type === undefined || (extension === '.js' && !SCRIPTS.includes(name))) return [];
      const body = readFileSync(new URL(`${folder}${file}`, import.meta.url), 'utf8');
      const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
      return [[name, { name, type, body, path: `/assets/${basename(name, extension)}.${hash}${extension}` }]];
    }),
  ),
);

/** The address of an asset. */
export function asset(name: string): string {
  const found = ASSETS.get(name);
  if (found === undefined) throw new Error(`no asset ${name}`);
  return found.path;
}
