/** For Jest: runs the longest files first, also if their durations are unknown. */
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class extends Sequencer {
	sort(tests) {
		const isModel = ({ path }) => path.includes('/test/model/');
		const sorted = super.sort(tests);
		return [...sorted.filter(isModel), ...sorted.filter((one) => !isModel(one))];
	}
};
