// Serves a workspace's color as a style sheet, because the pages' content security policy allows no inline styles.
import { ApiError } from '../errors.ts';
import { accentOf } from '../html/accent.ts';
import type { Handler } from '../http/answer.ts';

export const showAccent: Handler = ({ params: { file = '' } }) => {
  const [, color] = /^([0-9a-f]{6})\.css$/i.exec(file) ?? [];
  if (color === undefined) throw new ApiError('not_found', 'No such color.');
  const { light, dark } = accentOf(`#${color}`);
  return {
    status: 200,
    type: 'text/css',
    body: `:root{--accent:light-dark(${light},${dark})}\n`,
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  };
};
