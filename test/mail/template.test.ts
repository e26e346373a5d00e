// Template variables are replaced exactly once.
import t from 'tap';
import { expand, expandPieces, TEMPLATE_VARIABLES, withoutName } from '../../src/mail/template.ts';

const values = { recipient_name: 'Ada', workspace_name: 'Acme', survey_title: 'Orders', survey_link: 'https://s.example/1' };

t.test('every variable is replaced by its value, as often as it appears', async (t) => {
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

t.test('in pieces, values keep their type and their place', async (t) => {
  const link = { href: 'https://s.example/1' };
  t.strictSame(
    expandPieces<string | typeof link>('a {{survey_link}}{{recipient_name}} {{x}}', { ...values, survey_link: link }),
    ['a ', link, '', 'Ada', ' {{x}}'],
  );
});

t.test("anything that isn't exactly a variable stays as it is", async (t) => {
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

t.test('without a name, what joins the name to its sentence goes too, and no other text changes', async (t) => {
  const without = (text: string) => withoutName(text, undefined);
  t.equal(without('Thank you, {{recipient_name}}!'), 'Thank you!');
  t.equal(without('Thank you ,  {{recipient_name}}!'), 'Thank you!');
  t.equal(without('شكرا، {{recipient_name}}!'), 'شكرا!');
  t.equal(without('You,, {{recipient_name}}.'), 'You,.', 'one comma');
  t.equal(without('{{recipient_name}}, how was it? {{recipient_name}} – tell us'), 'how was it? tell us');
  for (const text of [' '.repeat(65_536), ', '.repeat(32_768), 'a b '.repeat(16_384)])
    t.ok(without(text) === text, text.slice(0, 4));
});
