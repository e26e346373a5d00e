// French that says tu: the texts of fr.ts that address the reader.
import type { Strings } from '../en.ts';

export const fr: Partial<Strings> = {
  emailReason: 'Tu reçois cet e‑mail car {workspace} t’invite à répondre à une enquête.',
  notSubmitted: 'Tes réponses n’ont pas encore été envoyées',
  questionsChanged: 'Les questions ont changé depuis que tu as ouvert cette page. Vérifie tes réponses, s’il te plaît.',
  answersGoTo: 'Tes réponses seront transmises à {workspace}.',
  chooseNumber: 'Choisis une note.',
  chooseAnswer: 'Choisis une réponse.',
  enterAnswer: 'Saisis une réponse.',
  tooLong: 'Saisis au maximum {max}\u00a0caractères.',
  thanks: 'Ta réponse a bien été enregistrée. Tu peux fermer cette page.',
  respondedTitle: 'Tu as déjà répondu',
  responded: 'Ta réponse à l’enquête «\u00a0{title}\u00a0» a bien été enregistrée. Merci\u202f!',
  invalidLink: 'Il est peut-être incomplet. Ouvre-le à nouveau depuis ton e‑mail.',
  linkExpired: 'Il ne permet plus de répondre à l’enquête «\u00a0{title}\u00a0». Merci de ton intérêt.',
  notOpen: 'Cette enquête n’est pas encore ouverte. Réessaie plus tard. Ton lien restera valable.',
  closed: 'L’enquête «\u00a0{title}\u00a0» est terminée. Merci de ton intérêt.',
  full: 'L’enquête «\u00a0{title}\u00a0» a reçu suffisamment de réponses et est terminée. Merci de ton intérêt.',
  byInvitation: 'Pour répondre, ouvre le lien figurant dans l’e‑mail envoyé par {workspace}.',
  askWorkspace: 'Pour en recevoir à nouveau, adresse-toi à {workspace}.',
  fewer: 'Préfères-tu recevoir moins d’e‑mails\u202f?',
  savedTitle: 'Ton choix a bien été enregistré',
  erased:
    'L’adresse à laquelle cette invitation a été envoyée a été supprimée. Si {workspace} t’envoie un autre e‑mail, utilise le lien qu’il contient.',
  defaultMessage:
    'Bonjour {{recipient_name}},\n\n{{workspace_name}} souhaite connaître ton avis\u00a0: {{survey_title}}\n\n{{survey_link}}\n\nMerci d’avance\u202f!',
  recommend: 'Quelle est la probabilité que tu nous recommandes\u202f?',
  mainReason: 'Quelle est la principale raison de ta note\u202f?',
};
