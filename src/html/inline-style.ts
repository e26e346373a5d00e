// The style of pages for recipients. It stands in the page itself, so that one request paints it. The content security policy allows it by its
// hash. Pure after loading.
import { createHash } from 'node:crypto';
import { accentOf } from './accent.ts';
import { ASSETS } from './assets.ts';
import { Html } from './html.ts';

const BASE = ['style.css', 'questions.css', 'recipient.css'].map((name) => ASSETS.get(name)?.body).join('');

const hashOf = (css: string): string => `'sha256-${createHash('sha256').update(css).digest('base64')}'`;

/** A workspace's own color, on light and dark backgrounds. @param color `#rrggbb` */
const accentStyle = (color: string): string => {
  const { light, dark } = accentOf(color);
  return `:root{--accent:light-dark(${light},${dark})}`;
};

type Color = string | null | undefined;

const stylesOf = (accentColor: Color): string[] => [BASE, ...(accentColor ? [accentStyle(accentColor)] : [])];

/** The style elements of a page. */
export const inlineStyles = (accentColor?: Color): Html =>
  new Html(
    stylesOf(accentColor)
      .map((css) => `<style>${css}</style>\n`)
      .join(''),
  );

/** What the policy of that page allows. */
export const styleSources = (accentColor?: Color): string => stylesOf(accentColor).map(hashOf).join(' ');
