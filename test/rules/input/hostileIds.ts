/** The one list of what is no one part of an address: fields, addresses and CometChat's own answers refuse it. */
export const OUT_OF_PLACE: Array<[string, string]> = [
	['a dot', '.'],
	['two dots', '..'],
	['white space around dots', ' ..\t'],
	['a slash', 'a/b'],
	['a backslash', 'a\\b'],
	['a climb', '../../v2/users'],
	['an address', 'https://example.com/'],
	['a percent sign, which some gateways decode twice', '%2e%2e'],
	['a slash encoded twice', 'a%252fb'],
];
