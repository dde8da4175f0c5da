import { plainForm } from './plain-form.ts';

/** Services on which people write to each other. Their names mean nothing else. */
const SERVICES =
  'wechat|weixin|whatsapp|watsapp|whats app|telegram|instagram|insta|skype|viber|snapchat|kakao|kakaotalk|zalo|facebook|discord|tiktok|微信|威信|カカオ|라인|카톡|카카오톡|인스타|телеграм|телеграмм|телега|вотсап|ватсап|инстаграм|инста|вайбер|скайп|واتساب|واتس|تلغرام|تلجرام|انستغرام|انستا|سناب|סקייפ|ווטסאפ|וואטסאפ|טלגרם|אינסטגרם';
/** Services whose names are common words too: only together with "id" or a colon. */
const AMBIGUOUS = 'line|ライン|signal|snap|threads|messenger|fb|ig|wa|tg|qq|imo|kik|vk|twitter|x';
const ID_WORDS =
  'id|ids|user|username|handle|account|acct|konto|nick|name|nutzername|usuario|utente|用户名|号|號|아이디|ник';
const IS_WORDS = 'is|ist|es|è|e|est|é|är|heißt|heisst|как|это|هو|は|:|=|：|->|→|–|—|-';
/** A word of Latin letters, digits and the marks that account names contain. */
const NAME = '[a-z0-9](?:[\\w.-]{1,30}[a-z0-9_])';
const EDGE_BEFORE = '(?<![\\p{L}\\p{M}\\p{N}])';
const EDGE_AFTER = '(?![\\p{L}\\p{M}\\p{N}])';
const MINE = 'my|mein|meine|mi|mio|il mio|mon|meu|o meu|min|mijn|мой|moj|mój|benim';

const ID = `(?:\\s*[([]?(?:${plainForm(ID_WORDS)})[)\\]]?)`;
const IS = `(?:\\s*(?:${plainForm(IS_WORDS)})\\s*)`;

/** "line id: annbell", "WeChat ID annbell88", "微信号annbell". */
const WITH_ID = new RegExp(
  `${EDGE_BEFORE}(?:${plainForm(SERVICES)}|${plainForm(AMBIGUOUS)})${ID}${IS}?\\s*(${NAME})${EDGE_AFTER}`,
  'giu',
);
/** "Instagram annbell_official", "WeChat: annbell1990". */
const AFTER_SERVICE = new RegExp(
  `${EDGE_BEFORE}(?:${plainForm(SERVICES)})(${IS})?\\s*(${NAME})${EDGE_AFTER}`,
  'giu',
);
const AFTER_AMBIGUOUS = new RegExp(
  `${EDGE_BEFORE}(?:${plainForm(AMBIGUOUS)})\\s*[:=：]\\s*(${NAME})${EDGE_AFTER}`,
  'giu',
);
const MY_SERVICE = new RegExp(
  `${EDGE_BEFORE}(?:${plainForm(MINE)})\\s+(?:${plainForm(SERVICES)})${IS}\\s*(${NAME})\\s*(?:[.,;!]|$)`,
  'iu',
);
const FIND_ME = new RegExp(
  `\\b(?:on|auf|en|su|sur|no|på|op)\\s+(?:${plainForm(SERVICES)})\\s+(?:as|als|como|come|comme|som|under|unter)\\s+${NAME}`,
  'iu',
);
const SKYPE_LIVE = /\blive:\S/iu;

/** True when a text names an account on a messenger or a social network. */
export function holdsAccountName(plain: string): boolean {
  if (SKYPE_LIVE.test(plain) || MY_SERVICE.test(plain) || FIND_ME.test(plain)) return true;
  for (const [, name = ''] of plain.matchAll(WITH_ID)) if (name.length >= 4) return true;
  for (const [, name = ''] of plain.matchAll(AFTER_AMBIGUOUS)) if (isInvented(name)) return true;
  for (const match of plain.matchAll(AFTER_SERVICE)) {
    const [whole, , name = ''] = match;
    if (isInvented(name) || (/[:=：]/u.test(whole) && endsThere(plain, match.index + whole.length)))
      return true;
  }
  return false;
}

/** True for a word that is no word: letters with digits, underscores or inner dots. */
function isInvented(name: string): boolean {
  if (name.length < 4) return false;
  return /_/.test(name) || /[a-z]\.[a-z]/iu.test(name) || /^[a-z]{2,}[\w.-]*\d/iu.test(name);
}

function endsThere(text: string, at: number): boolean {
  return /^\s*(?:[.,;!)]|$)/u.test(text.slice(at));
}
