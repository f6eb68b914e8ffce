import { choiceOption, numberOption } from '../../input/options';

/** A website that is to be crawled and is there already. */
export const ifSiteExistsOption = choiceOption({
	displayName: 'If the Site Is There',
	name: 'ifSiteExists',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails, and its error names the website that is there',
		},
		{
			name: 'Refresh',
			value: 'refresh',
			description: 'It is crawled again, and the agent has it as it is now',
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'It is not crawled again; the agent gets it if it lacks it',
		},
	],
	default: 'skip',
	description:
		'What to do with a website that is in CometChat already, with all of its pages read. One that is not finished is gone on with in any case.',
});

/** The example of CometChat's pages took two minutes for a hundred pages; a thousand take longer. */
export const maxCrawlOption = numberOption(
	{
		displayName: 'Max Crawl Time (Minutes)',
		name: 'maxCrawlMinutes',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 60 },
		default: 15,
		description: 'Raise it for large sites. How long CometChat may take to find the pages.',
	},
	{ scale: 60_000 },
);
