/** Rules still to be used up, in order. */
export class RuleList<Rule extends { times?: number }, Case> {
	private rules: Array<{ rule: Rule; left: number }> = [];

	constructor(private readonly fits: (rule: Rule, given: Case) => boolean) {}

	/** A rule is good for one turn, unless it says for how many. */
	add(rules: Rule[]): void {
		this.rules.push(...rules.map((rule) => ({ rule, left: rule.times ?? 1 })));
	}

	clear(): void {
		this.rules = [];
	}

	/** Uses up one turn of the first rule that fits. */
	take(given: Case): Rule | undefined {
		const found = this.rules.find(({ rule, left }) => left > 0 && this.fits(rule, given));
		if (found !== undefined) found.left -= 1;
		return found?.rule;
	}
}
