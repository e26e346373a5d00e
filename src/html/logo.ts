// The logo of a workspace, as pages and emails show it. Pure.
import { type Html, html } from './html.ts';

export interface ShownLogo {
  /** https, or the path of an uploaded one. */
  readonly url: string;
  readonly alt: string;
  /** In pixels of the page. Undefined: it is elsewhere, and nobody knows. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** Pixels. */
export const LOGO_HEIGHT = 40;
export const LOGO_WIDTH = 240;

/** Its home, name, width, height and kind. */
export const UPLOADED_LOGO = /^\/logo\/([a-z0-9]{8})([0-9a-f]{32}-(\d{2,4})x(\d{2,4})\.(png|jpg))$/;

/** As large as fits, and never larger than it is. */
function sizeOf(width: number, height: number): NonNullable<ShownLogo['size']> {
  const scale = Math.min(1, LOGO_HEIGHT / height, LOGO_WIDTH / width);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** @param url Of the sender. Undefined: there is no logo. */
export function logoOf(url: string | null | undefined, alt: string): ShownLogo | undefined {
  if (url === null || url === undefined) return undefined;
  const [, , , width, height] = UPLOADED_LOGO.exec(url) ?? [];
  return { url, alt, size: width === undefined ? undefined : sizeOf(Number(width), Number(height)) };
}

/** The logo if it is an uploaded one. A picture elsewhere would tell that server who opens the page. */
export function uploadedLogo(url: string | null | undefined, alt: string): ShownLogo | undefined {
  const logo = logoOf(url, alt);
  return logo?.size && logo;
}

/** On a page. Its size keeps what is below in its place while it loads. */
export const logoImage = ({ url, alt, size }: ShownLogo): Html =>
  html`<img class="logo" src="${url}" alt="${alt}"${size && html` width="${size.width}" height="${size.height}"`}>`;
