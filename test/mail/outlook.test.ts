// What Outlook for Windows ignores in an email: it renders with Word. No email may depend on it.
// Source: "Word 2007 HTML and CSS Rendering Capabilities in Outlook 2007", learn.microsoft.com/previous-versions/office/developer.
import t from 'tap';
import { render } from '../../src/mail/render.ts';
import { claimedInvitation } from '../fixtures/mail.ts';

interface Tag {
  readonly name: string;
  readonly attributes: string;
  readonly style: ReadonlyMap<string, string>;
}

/** What is ignored, and what an email must have instead. Each returns what is wrong with a tag in its parents. */
const IGNORED: Readonly<Record<string, (tag: Tag, parents: readonly Tag[]) => boolean>> = {
  'padding of anything but a cell: the cell around it has one': ({ name, style }, parents) =>
    name !== 'td' &&
    name !== 'body' &&
    isSet(style, 'padding') &&
    !parents.some(({ style }) => isSet(style, 'padding') || isSet(style, 'mso-padding-alt')),
  'max-width: the tag has a width or height, too': ({ style, attributes }) =>
    style.has('max-width') && !/ (width|height)="/.test(attributes),
  'background pictures': ({ style, attributes }) => /url\(/.test([...style.values()].join()) || / background="/.test(attributes),
  'the background of a link alone: the cell has a bgcolor': ({ name, style }, parents) =>
    name === 'a' && style.has('background') && !/ bgcolor="/.test(parents.at(-1)?.attributes ?? ''),
  'display: none, unless mso-hide says it': ({ style }) => style.get('display') === 'none' && style.get('mso-hide') !== 'all',
  'positions, floats, flex and grid': ({ style }) =>
    style.has('position') || style.has('float') || /flex|grid/.test(style.get('display') ?? ''),
  'colors with transparency, variables, and sizes in other units than px': ({ style }) =>
    /rgba?\(|hsla?\(|var\(|calc\(|\d(r?em|v[wh])\b/.test([...style.values()].join()),
  'the height of lines in a link: its cell says it, exactly': ({ name, style }) => name === 'a' && style.has('line-height'),
};

const isSet = (style: ReadonlyMap<string, string>, name: string): boolean => /[1-9]/.test(style.get(name) ?? '');

const EMPTY = new Set(['meta', 'img', 'br', '!doctype']);

function* wrongIn(html: string): Generator<string> {
  const parents: Tag[] = [];
  const body = html.replace(/<style>.*?<\/style>/s, '');
  for (const [tag, end, name = '', attributes = ''] of body.matchAll(/<(\/?)([a-z!]+\d?)((?: [^<>]*)?)>/gi)) {
    if (end !== '') parents.pop();
    if (end !== '') continue;
    const pairs = /style="([^"]*)"/.exec(attributes)?.[1]?.split(';').filter(Boolean) ?? [];
    const style = new Map(pairs.map((pair) => pair.split(/:(.*)/s).slice(0, 2) as [string, string]));
    const found: Tag = { name: name.toLowerCase(), attributes, style };
    for (const [what, isWrong] of Object.entries(IGNORED)) if (isWrong(found, parents)) yield `${what}: ${tag}`;
    if (!EMPTY.has(found.name)) parents.push(found);
  }
}

const options = { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } };
const LINKED = 'Hello {{recipient_name}},\n\nhow was it?\n\n{{survey_link}}\n\nThank you!';
const score = { id: 's', type: 'score', label: 'How likely?', min_label: 'Not', max_label: 'Very' } as const;
const choice = { id: 'c', type: 'choice', label: 'How was it?', choices: ['Good', 'It was late and nobody told me'] } as const;

t.test('no email depends on what Outlook ignores', async (t) => {
  for (const [name, more] of Object.entries({
    button: {},
    score: { question: score, sender: { postal_address: 'Oslo' } },
    choice: { question: choice, sender: { logo_url: 'https://i.example/logo.png' } },
    arabic: { language: 'ar', question: score },
  }))
    t.same([...wrongIn(render(claimedInvitation({ message: LINKED, ...more }), options).html)], [], name);
});

t.test('each rule finds what it forbids', async (t) => {
  const wrong = [
    '<table><tr><td><a style="padding:12px">Go</a></td></tr></table>',
    '<div style="max-width:600px"></div>',
    '<td style="background:url(https://i.example/a.png)"></td>',
    '<td><a style="background:#000000">Go</a></td>',
    '<div style="display:none"></div>',
    '<p style="float:left"></p>',
    '<p style="margin:1em"></p>',
    '<td style="padding:1px"><a style="line-height:2"></a></td>',
  ];
  t.same(
    wrong.map((html) => [...wrongIn(html)].map((found) => Object.keys(IGNORED).findIndex((rule) => found.startsWith(rule)))),
    wrong.map((_, index) => [index]),
  );
});
