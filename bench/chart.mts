import { init, use } from 'echarts/core';
import { BarChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
import type { CaseSummary, Medians } from './summary.mjs';

use([BarChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

const CONTESTANTS = [
	{ name: 'This node', color: '#2563eb', of: ({ ours }: CaseSummary) => ours },
	{
		name: 'HTTP Request node',
		color: '#f59e0b',
		of: ({ httpRequest }: CaseSummary) => httpRequest,
	},
];

/** Readable on a light page and on a dark one. */
const WORDS = { color: '#6b7280', fontFamily: 'sans-serif' };

/**
 * Two groups of bars as an SVG: seconds, and peak memory in megabytes, each against n8n's HTTP
 * Request node. Only cases in which both did all of their items: a node that gives up is no faster.
 */
export function drawChart(summary: CaseSummary[]): string {
	const shown = summary.filter(
		({ ours, httpRequest }) => ours?.failedItems === 0 && httpRequest?.failedItems === 0,
	);
	const panels = [
		{
			title: 'Seconds',
			left: 110,
			amount: (medians: Medians) => Number(medians.seconds.toPrecision(3)),
		},
		{
			title: 'Memory of n8n at most, MB',
			left: 540,
			amount: ({ peakBytes }: Medians) => Math.round(peakBytes / 1e6),
		},
	];
	const chart = init(null, null, {
		renderer: 'svg',
		ssr: true,
		width: 900,
		height: 90 + 60 * shown.length,
	});
	chart.setOption({
		animation: false,
		textStyle: WORDS,
		legend: { bottom: 0, data: CONTESTANTS.map(({ name }) => name), textStyle: WORDS },
		title: panels.map(({ title, left }) => ({
			text: title,
			left,
			textStyle: { ...WORDS, fontSize: 14 },
		})),
		grid: panels.map(({ left }) => ({ left, width: 290, top: 35, bottom: 40 })),
		xAxis: panels.map((_, gridIndex) => ({ gridIndex, type: 'value', show: false })),
		yAxis: panels.map((_, gridIndex) => ({
			gridIndex,
			type: 'category',
			inverse: true,
			data: shown.map(({ name }) => name),
			axisLabel: { show: gridIndex === 0, ...WORDS, fontSize: 13 },
			axisLine: { show: false },
			axisTick: { show: false },
		})),
		series: panels.flatMap(({ amount }, index) =>
			CONTESTANTS.map(({ name, color, of }) => ({
				name,
				type: 'bar',
				xAxisIndex: index,
				yAxisIndex: index,
				itemStyle: { color },
				label: { show: true, position: 'right', ...WORDS },
				data: shown.map((each) => {
					const medians = of(each);
					return medians === undefined ? undefined : amount(medians);
				}),
			})),
		),
	});
	const svg = chart.renderToSVGString();
	chart.dispose();
	return `${svg}\n`;
}
