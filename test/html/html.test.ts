// The template tag for HTML: what it escapes and what it doesn't.
import t from 'tap';
import { escapeHtml, html } from '../../src/html/html.ts';

t.test('the five characters that mean something in HTML are escaped, and nothing else', async (t) => {
  t.equal(escapeHtml(`<a href="x" id='y'>&`), '&#60;a href=&#34;x&#34; id=&#39;y&#39;&#62;&#38;');
  t.equal(escapeHtml('Zoë – 🎉 {{survey_link}} `$'), 'Zoë – 🎉 {{survey_link}} `$');
});

t.test('text is escaped, HTML is not, lists are joined, and nothing stands for undefined, null and false', async (t) => {
  const evil = `<b title="x">`;
  t.equal(html`<p class="${evil}">${evil}</p>`.toString(), `<p class="${escapeHtml(evil)}">${escapeHtml(evil)}</p>`);
  t.equal(html`<p>${html`<i>${evil}</i>`}</p>`.toString(), `<p><i>${escapeHtml(evil)}</i></p>`);
  t.equal(html`${['a&', html`<br>`, [1, 0]]}`.toString(), 'a&#38;<br>10');
  t.equal(html`${undefined}${null}${false}`.toString(), '');
});
