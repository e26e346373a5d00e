// Builds the package: compiled JavaScript with its dependencies, which installs and runs without a registry and without a build, and the list
// of what is in it (CycloneDX). `make release` writes both to .data/release, with their SHA-256 sums.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const COPIED = ['bin', 'sql', 'docs', 'deploy', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** @returns The paths of the files. */
function buildPackage(target: string): { tarball: string; sbom: string; sums: string } {
  const build = join(target, 'build');
  rmSync(build, { recursive: true, force: true });
  mkdirSync(build, { recursive: true });
  run('node_modules/.bin/tsc', '--project', 'deploy/tsconfig.json', '--outDir', build);
  for (const path of [...COPIED, ...globSync('src/**/*.{css,js,sql,svg,txt,woff2}', { cwd: ROOT })]) {
    cpSync(join(ROOT, path), join(build, path), { recursive: true });
  }
  copyDependencies(ROOT, build);

  const { scripts: _, devDependencies: _d, allowScripts: _a, tap: _t, ...manifest } = JSON.parse(read('package.json'));
  const bundled = { ...manifest, bundleDependencies: Object.keys(manifest.dependencies) };
  writeFileSync(join(build, 'package.json'), JSON.stringify(bundled, null, 2));
  const inBuild = (...words: string[]) => execFileSync('npm', words, { cwd: build, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const sbom = join(target, `${manifest.name}-${manifest.version}.cdx.json`);
  writeFileSync(sbom, inBuild('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'));
  inBuild('pack', '--silent', '--pack-destination', target);
  rmSync(build, { recursive: true });
  const tarball = join(target, `${manifest.name}-${manifest.version}.tgz`);
  const sums = join(target, 'SHA256SUMS');
  writeFileSync(sums, [tarball, sbom].map((file) => `${sha256(file)}  ${basename(file)}\n`).join(''));
  return { tarball, sbom, sums };
}

/** Copies what a package needs at run time, where Node found it. */
function copyDependencies(folder: string, build: string): void {
  const { dependencies, optionalDependencies } = manifestOf(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = resolve(name, folder);
    if (found === undefined || existsSync(join(build, found))) continue;
    const nested = join(ROOT, found, 'node_modules');
    cpSync(join(ROOT, found), join(build, found), { recursive: true, filter: (path) => path !== nested });
    copyDependencies(join(ROOT, found), build);
  }
}

/** The path of a package's folder below the root; undefined: an optional one that isn't installed. */
function resolve(name: string, from: string): string | undefined {
  const path = join(from, 'node_modules', name);
  if (existsSync(path)) return path.slice(ROOT.length + 1);
  return from === ROOT ? undefined : resolve(name, dirname(from));
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const run = (command: string, ...words: string[]) => execFileSync(command, words, { cwd: ROOT, stdio: 'inherit' });

const target = process.argv[2] ?? join(ROOT, '.data/release');
mkdirSync(target, { recursive: true });
process.stdout.write(`${JSON.stringify(buildPackage(target), null, 2)}\n`);
