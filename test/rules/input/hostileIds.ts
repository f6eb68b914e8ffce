/**
 * The one list of what must never be sent as an ID. A new way to get a wrong one through is a new row,
 * and all who read IDs have to refuse it: fields of an item, an address, the service's own answers.
 */

/** Texts that are no one part of an address, or may become something else on their way. */
export const OUT_OF_PLACE: Array<[string, string]> = [
	['a dot', '.'],
	['two dots', '..'],
	['two dots with a parameter, which some gateways drop', '..;a=b'],
	['two dots in wide characters', '．．'],
	['many dots', '......'],
	['white space around dots', ' ..\t'],
	['small dots', '﹒﹒'],
	['one dot leaders', '․․'],
	['a two dot leader', '‥'],
	['an ellipsis', '…'],
	['a slash', 'a/b'],
	['a backslash', 'a\\b'],
	['a wide slash, which some gateways fold', 'a／b'],
	['a wide backslash', 'a＼b'],
	['a small backslash', 'a﹨b'],
	['a letter with a slash in it', 'a℀b'],
	['a climb', '../../v2/users'],
	['a climb from inside', 'a/../b'],
	['another host', '//example.com'],
	['an address', 'https://example.com/'],
	['a percent sign, which some gateways decode twice', '%2e%2e'],
	['a percent sign alone', '100%'],
	['a wide percent sign', '％2e'],
	['a small percent sign', '﹪2e'],
	['an encoded slash', 'a%2fb'],
	['a slash encoded twice', 'a%252fb'],
	['an encoded line break', 'a%0d%0aX-Evil: 1'],
	['dots in an old encoding', '%c0%ae%c0%ae'],
];

/** Texts in which there is more than anybody sees. */
export const UNSEEN: Array<[string, string]> = [
	['a NUL', 'a\u0000b'],
	['a control character', 'a\u001b[31mb'],
	['a control character of the second block', 'a\u0085b'],
	['DEL', 'a\u007fb'],
	['a line break', 'a\nb'],
	['a header behind a line break', 'a\r\nX-Evil: 1'],
	['a second request line', 'a HTTP/1.1\r\nHost: example.com'],
	['a line separator', 'a\u2028b'],
	['a text direction override', 'gpj.\u202eexe'],
	['a text direction isolate', 'a\u2066b'],
	['a zero-width space', 'a\u200bb'],
	['a zero-width joiner, also in an emoji', '👩\u200d💻'],
	['a byte order mark inside', 'a\ufeffb'],
	['a soft hyphen', 'a\u00adb'],
	['an invisible tag', 'a\u{e0041}b'],
	['the first half of a character', 'a\ud83d'],
	['the second half of a character', '\ude42a'],
	['a script with an invisible character', '<img src=x onerror=alert(1)>\u200b!'],
];
