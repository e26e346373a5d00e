// The texts of the questions in the templates, in English. The other languages have the same names. A survey made of these texts needs no translation;
// SQL knows them by their English (sql/functions/languages/is_default_text.sql).

export const en = {
  yes: 'Yes',
  no: 'No',
  recommendFriend: 'How likely are you to recommend us to a friend or colleague?',
  satisfied: 'How satisfied are you?',
  veryDissatisfied: 'Very dissatisfied',
  verySatisfied: 'Very satisfied',
  doBetter: 'What could we do better?',
  wasEasy: 'It was easy to get what I needed.',
  stronglyDisagree: 'Strongly disagree',
  stronglyAgree: 'Strongly agree',
  easier: 'What would have made it easier?',
  delivery: 'How satisfied are you with your delivery?',
  goodCondition: 'Did everything arrive in good condition?',
  whatWrong: 'What was wrong?',
  anythingElse: 'Is there anything else you would like to tell us?',
  help: 'How satisfied are you with the help you received?',
  solved: 'Has your problem been solved?',
  stillOpen: 'What still needs to be solved?',
  whyCancel: 'Why did you cancel?',
  expensive: 'Too expensive',
  missing: 'Missing features',
  difficult: 'Too difficult to use',
  noNeed: 'I no longer need it',
  switched: 'I switched to another product',
  otherReason: 'Another reason',
  doneBetter: 'What could we have done better?',
  comeBack: 'Would you consider coming back?',
} as const;

export type QuestionStrings = { readonly [Name in keyof typeof en]: string };
