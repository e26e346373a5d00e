// What the service itself says to recipients: Portuguese, as in Portugal and Africa.
import type { Strings } from './en.ts';

export const ptPT: Strings = {
  reminderSubject: 'Lembrete: {subject}',
  emailReason: 'Recebeu este e‑mail porque {workspace} lhe enviou um convite para responder a um inquérito.',
  unsubscribe: 'Cancelar subscrição',
  unsubscribeLine: 'Cancelar subscrição: {link}',

  errorTitle: 'Erro: {title}',
  notSubmitted: 'As suas respostas ainda não foram enviadas',
  questionsChanged: 'As perguntas mudaram desde que abriu esta página. Verifique as suas respostas.',
  optional: '(opcional)',
  noAnswer: 'Sem resposta',
  submit: 'Enviar',
  answersGoTo: 'As suas respostas serão enviadas para {workspace}.',
  chooseNumber: 'Escolha um número.',
  chooseAnswer: 'Escolha uma resposta.',
  enterAnswer: 'Escreva uma resposta.',
  tooLong: 'Utilize no máximo {max} caracteres.',

  thanksTitle: 'Agradecemos a sua participação!',
  thanks: 'A sua resposta foi registada. Já pode fechar esta página.',
  respondedTitle: 'Já respondeu',
  responded: 'A sua resposta ao inquérito {title} foi registada. Agradecemos a sua participação!',
  invalidLinkTitle: 'Esta ligação não é válida',
  invalidLink: 'Pode estar incompleta. Volte a abri-la a partir do e‑mail que recebeu.',
  notOpenTitle: 'Inquérito ainda não disponível',
  notOpen: 'Este inquérito ainda não está aberto. Tente novamente mais tarde. A sua ligação continuará a funcionar.',
  closedTitle: 'Inquérito encerrado',
  closed: 'O inquérito {title} está encerrado. Agradecemos o seu interesse.',
  byInvitationTitle: 'Inquérito apenas por convite',
  byInvitation: 'Para responder, abra a ligação no e‑mail que recebeu de {workspace}.',

  unsubscribeTitle: 'Cancelar subscrição',
  unsubscribeQuestion: 'Pretende deixar de receber em {email} os e‑mails de inquéritos de {workspace}?',
  unsubscribeScope: 'Aplica-se a todos os e‑mails de inquéritos de {workspace}, incluindo lembretes.',
  unsubscribedTitle: 'Subscrição cancelada',
  unsubscribed: '{workspace} não enviará mais e‑mails de inquéritos para {email}.',
  mistake: 'Foi um engano?',
  resubscribe: 'Voltar a subscrever',
  askWorkspace: 'Para voltar a recebê-los, contacte {workspace}.',
  resubscribedTitle: 'Subscrição reativada',
  resubscribed:
    '{workspace} pode voltar a enviar e‑mails de inquéritos para {email}. Os e‑mails entretanto retidos não serão enviados.',
  erasedTitle: 'Não é necessário cancelar',
  erased:
    'O endereço para o qual este convite foi enviado foi eliminado. Se receber outro e‑mail de {workspace}, utilize a ligação que este contém.',

  notFoundTitle: 'Página não encontrada',
  notFound: 'Verifique o endereço. Se abriu uma ligação de um e‑mail, esta pode estar incompleta.',
  tooManyTitle: 'Demasiadas tentativas',
  tooMany: 'Aguarde um minuto e tente novamente.',
  unavailableTitle: 'Temporariamente indisponível',
  unavailable: 'Tente novamente dentro de alguns minutos.',
  failedTitle: 'Ocorreu um erro',
  failed: 'O problema é nosso. Tente novamente mais tarde.',
  badRequestTitle: 'Não foi possível concluir a operação',
  badRequest: 'Não conseguimos processar o seu pedido. Volte atrás e tente novamente.',
  requestId: 'Pedido {id}',

  defaultMessage:
    'Olá, {{recipient_name}}!\n\n{{workspace_name}} gostaria de conhecer a sua opinião: {{survey_title}}\n\n{{survey_link}}\n\nAgradecemos desde já!',
  recommend: 'Qual é a probabilidade de nos recomendar?',
  leastLikely: 'Nada provável',
  mostLikely: 'Extremamente provável',
  mainReason: 'Qual é o principal motivo da sua pontuação?',
};
