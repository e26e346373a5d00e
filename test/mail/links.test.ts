// The addresses in an email. The tracked link keeps the survey's public address as it was given.
import t from 'tap';
import { servicePage, surveyLink, unsubscribeLink } from '../../src/mail/links.ts';

const cases: [publicUrl: string, link: string][] = [
  ['https://s.example', 'https://s.example?invitation=TOKEN'],
  ['https://s.example/', 'https://s.example/?invitation=TOKEN'],
  ['https://s.example/orders', 'https://s.example/orders?invitation=TOKEN'],
  ['https://s.example/orders?lang=de', 'https://s.example/orders?lang=de&invitation=TOKEN'],
  ['https://s.example/orders?lang=de&', 'https://s.example/orders?lang=de&invitation=TOKEN'],
  ['https://s.example/orders?', 'https://s.example/orders?invitation=TOKEN'],
  ['https://s.example/orders#top', 'https://s.example/orders?invitation=TOKEN#top'],
  ['https://s.example/orders#', 'https://s.example/orders?invitation=TOKEN#'],
  ['https://s.example/orders?lang=de#top', 'https://s.example/orders?lang=de&invitation=TOKEN#top'],
  ['https://s.example/orders?#top', 'https://s.example/orders?invitation=TOKEN#top'],
  ['https://s.example/app#/orders?lang=de', 'https://s.example/app?invitation=TOKEN#/orders?lang=de'],
  ['https://s.example/app#!/a#b', 'https://s.example/app?invitation=TOKEN#!/a#b'],
  ['https://s.example/a%2Fb%20c?q=%C3%BC+x&r=a%26b', 'https://s.example/a%2Fb%20c?q=%C3%BC+x&r=a%26b&invitation=TOKEN'],
  ['https://S.example:443/./a?x=%7e', 'https://S.example:443/./a?x=%7e&invitation=TOKEN'],
];

t.test('the token goes to the end of the query, before the fragment, and nothing else changes', async (t) => {
  for (const [publicUrl, link] of cases) t.equal(surveyLink(publicUrl, 'TOKEN'), link);
});

t.test('a parser finds the token of a tracked link under invitation', async (t) => {
  for (const [publicUrl] of cases) {
    t.same(new URL(surveyLink(publicUrl, 'TOKEN')).searchParams.getAll('invitation'), ['TOKEN'], publicUrl);
  }
});

t.test('the page of a survey without a public address is on this service, with its id encoded', async (t) => {
  t.equal(servicePage('https://i.example', 'orders'), 'https://i.example/s/orders');
  t.equal(servicePage('https://i.example', 'a/b?c#d é'), 'https://i.example/s/a%2Fb%3Fc%23d%20%C3%A9');
});

t.test(
  "the unsubscribe link is short: the token's name of the invitation, and a digest in the place of its secret",
  async (t) => {
    t.equal(
      unsubscribeLink('https://i.example', 'ab12z9y8xJ0Q-s8_Kfwwm0Zq3vTRZ2m0zP9cE1x-A'),
      'https://i.example/u/ab12z9y8xJ0Q-s8_KfwyTml09ChVg_cjWFyNPdTfQ',
    );
  },
);
