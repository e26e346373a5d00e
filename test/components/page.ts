// The page Components, on the console's frame in several states, and its style sheet. Only for developers: no server has it.
import { segments } from '../../src/console/components.ts';
import { groupsOf } from '../../src/console/search/search-view.ts';
import { ASSETS, type Asset } from '../../src/html/assets.ts';
import { html } from '../../src/html/html.ts';
import type { Answer } from '../../src/http/answer.ts';
import { FRAMES, LOGO, WORKSPACE } from './frames.ts';
import { HITS, LARGE_PIECES } from './large-pieces.ts';
import { PIECES } from './pieces.ts';
import { WHOLE_PAGES } from './whole-pages.ts';

const nameOf = (path: string): string => (path === '/' ? 'workspace' : path.slice(1).replaceAll('-', ' '));

const PAGES = { ...WHOLE_PAGES, ...LARGE_PIECES };

export const ADDRESSES: readonly string[] = [...Object.keys(FRAMES), ...Object.keys(PAGES)];

/** @param path One of ADDRESSES. Undefined: there is no such page. */
export function componentsPage(path: string): string | undefined {
  const links = ADDRESSES.map((href) => ({ href, content: nameOf(href), current: href === path }));
  const whole = PAGES[path]?.();
  return (
    whole ??
    FRAMES[path]?.(
      html`${segments('Pages of components', links)}
<p><a id="dark" href="#dark">Dark</a> <a id="light" href="#light">Light</a> <a href="#">As the system has it</a></p>
${
  path === '/' &&
  PIECES.map(
    ({ title, file, states }) => html`<h2>${title}</h2><p class="note"><code>src/${file}</code></p>
${Object.entries(states).map(([name, content]) => html`<h3>${name}</h3><div data-state="${name}">${content}</div>`)}`,
  )
}`,
    )
  );
}

/** Where a state's name is hover or focus, its controls look as if the mouse or the focus were on them. */
const withStates = (css: string): string =>
  css
    .replaceAll(/:hover/g, ':is(:hover,[data-state="hover"] *)')
    .replaceAll(
      /:focus(?:-visible)?/g,
      (focus) => `:is(${focus},[data-state="focus"] :where(a,button,input,select,textarea,summary,[tabindex]))`,
    );

const SCHEMES = ['dark', 'light'].map((scheme) => `:root:has(#${scheme}:target){color-scheme:${scheme}}`).join('');

const assetAnswer = ({ name, type, body }: Asset): Answer => ({
  status: 200,
  type,
  body: name === 'console.css' ? withStates(String(body)) + SCHEMES : body,
});

/** What the search suggests to any text. */
const SUGGESTIONS = JSON.stringify(groupsOf(WORKSPACE, 'hut', HITS, [], 5));

export function answerTo(path: string): Answer {
  if (path.endsWith('/suggestions')) return { status: 200, type: 'application/json', body: SUGGESTIONS };
  // What editors show in frames.
  if (/\/(page|preview)$/.test(path) && path.split('/').length > 3) return answerTo('/recipient');
  const asset = [...ASSETS.values()].find((asset) => asset.path === path || (path === LOGO && asset.name === 'favicon.svg'));
  if (asset !== undefined) return assetAnswer(asset);
  const body = componentsPage(path);
  return body === undefined
    ? { status: 404, type: 'text/plain', body: 'There is no such page.\n' }
    : { status: 200, type: 'text/html', body };
}
