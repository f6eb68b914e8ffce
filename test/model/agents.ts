/** All but 'nobody' exist. Two differ only in case. */
export const AGENTS = ['support-bot', 'Support-Bot', 'guide', 'nobody'];

export const KNOWN_AGENTS = AGENTS.filter((uid) => uid !== 'nobody');
