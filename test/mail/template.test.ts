// Template variables: replaced once and exactly; and HTML escaping.
import t from 'tap';
import { escapeHtml, expand, TEMPLATE_VARIABLES } from '../../src/mail/template.ts';

const values = { recipient_name: 'Ada', workspace_name: 'Acme', survey_title: 'Orders', survey_link: 'https://s.example/1' };

t.test('every variable stands for its value, as often as it is named', async (t) => {
  for (const name of TEMPLATE_VARIABLES)
    t.equal(expand(`a {{${name}}}{{${name}}} b`, values), `a ${values[name]}${values[name]} b`);
  t.same([...TEMPLATE_VARIABLES].sort(), Object.keys(values).sort(), 'there are no others');
});

t.test('a value that looks like a variable is not expanded again', async (t) => {
  const tricky = { ...values, recipient_name: '{{survey_link}}', survey_title: '{{recipient_name}}' };
  t.equal(expand('{{recipient_name}} {{survey_title}}', tricky), '{{survey_link}} {{recipient_name}}');
  t.equal(expand('{{{recipient_name}}}', values), '{Ada}');
});

t.test('a value with replacement patterns of String.replace is put in as it is', async (t) => {
  t.equal(expand('<{{recipient_name}}>', { ...values, recipient_name: "$& $1 $' $`" }), "<$& $1 $' $`>");
});

t.test('what is not exactly a variable stays as it is', async (t) => {
  for (const text of [
    '{{ recipient_name }}',
    '{{Recipient_Name}}',
    '{{unknown}}',
    '{{constructor}}',
    '{recipient_name}',
    '{{}}',
    '',
  ]) {
    t.equal(expand(text, values), text);
  }
});

t.test('the five characters that mean something in HTML are escaped, and nothing else', async (t) => {
  t.equal(escapeHtml(`<a href="x" id='y'>&`), '&#60;a href=&#34;x&#34; id=&#39;y&#39;&#62;&#38;');
  t.equal(escapeHtml('Zoë – 🎉 {{survey_link}} `$'), 'Zoë – 🎉 {{survey_link}} `$');
});
