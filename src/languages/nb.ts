// What the service itself says to recipients: Norwegian Bokmål.
import type { Strings } from './en.ts';

export const nb: Strings = {
  reminderSubject: 'Påminnelse: {subject}',
  emailReason: 'Du får denne e‑posten fordi {workspace} har invitert deg til en spørreundersøkelse.',
  unsubscribe: 'Meld deg av',
  unsubscribeLine: 'Meld deg av: {link}',

  errorTitle: 'Feil: {title}',
  notSubmitted: 'Svarene dine er ikke sendt inn ennå',
  questionsChanged: 'Spørsmålene er endret siden du åpnet denne siden. Kontroller svarene dine.',
  optional: '(valgfritt)',
  noAnswer: 'Ubesvart',
  submit: 'Send inn',
  answersGoTo: 'Svarene dine går til {workspace}.',
  chooseNumber: 'Velg et tall.',
  chooseAnswer: 'Velg et svar.',
  enterAnswer: 'Skriv inn et svar.',
  tooLong: 'Bruk maksimalt {max} tegn.',

  thanksTitle: 'Tusen takk!',
  thanks: 'Svaret ditt er registrert. Du kan lukke denne siden.',
  respondedTitle: 'Du har allerede svart',
  responded: 'Svaret ditt på spørreundersøkelsen {title} er registrert. Tusen takk!',
  invalidLinkTitle: 'Denne lenken er ikke gyldig',
  invalidLink: 'Den kan være ufullstendig. Åpne den på nytt fra e‑posten.',
  notOpenTitle: 'Spørreundersøkelsen er ikke åpnet ennå',
  notOpen: 'Denne spørreundersøkelsen er ikke åpnet ennå. Prøv igjen senere. Lenken din vil fortsatt virke.',
  closedTitle: 'Spørreundersøkelsen er avsluttet',
  closed: 'Spørreundersøkelsen {title} er avsluttet. Takk for interessen.',
  byInvitationTitle: 'Bare for inviterte',
  byInvitation: 'Åpne lenken i e‑posten fra {workspace} for å svare.',

  unsubscribeTitle: 'Meld deg av',
  unsubscribeQuestion: 'Vil du slutte å få e‑poster om spørreundersøkelser fra {workspace} til {email}?',
  unsubscribeScope: 'Gjelder alle e‑poster om spørreundersøkelser fra {workspace}, også påminnelser.',
  unsubscribedTitle: 'Du er meldt av',
  unsubscribed: '{workspace} sender ikke flere e‑poster om spørreundersøkelser til {email}.',
  mistake: 'Var dette en feil?',
  resubscribe: 'Meld deg på igjen',
  askWorkspace: 'Ta kontakt med {workspace} hvis du vil få dem igjen.',
  resubscribedTitle: 'Du er meldt på igjen',
  resubscribed:
    '{workspace} kan igjen sende e‑poster om spørreundersøkelser til {email}. E‑poster som ble holdt tilbake i mellomtiden, blir ikke sendt.',
  erasedTitle: 'Du trenger ikke å melde deg av',
  erased:
    'Adressen som denne invitasjonen ble sendt til, er slettet. Hvis du får en ny e‑post fra {workspace}, kan du bruke lenken i den.',

  notFoundTitle: 'Fant ikke siden',
  notFound: 'Kontroller adressen. Hvis du fulgte en lenke i en e‑post, kan noe av den mangle.',
  tooManyTitle: 'For mange forsøk',
  tooMany: 'Vent ett minutt, og prøv igjen.',
  unavailableTitle: 'Midlertidig utilgjengelig',
  unavailable: 'Prøv igjen om noen minutter.',
  failedTitle: 'Noe gikk galt',
  failed: 'Feilen ligger hos oss. Prøv igjen senere.',
  badRequestTitle: 'Det fungerte ikke',
  badRequest: 'Vi kunne ikke behandle forespørselen. Gå tilbake, og prøv igjen.',
  requestId: 'Forespørsel {id}',

  defaultMessage:
    'Hei, {{recipient_name}}!\n\n{{workspace_name}} vil gjerne vite hva du mener: {{survey_title}}\n\n{{survey_link}}\n\nTusen takk!',
  recommend: 'Hvor sannsynlig er det at du vil anbefale oss?',
  leastLikely: 'Svært usannsynlig',
  mostLikely: 'Svært sannsynlig',
  mainReason: 'Hva er hovedgrunnen til at du ga denne vurderingen?',
};
