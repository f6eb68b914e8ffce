/** For Jest: the longest files first, also where it has not seen yet how long they take. */
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class extends Sequencer {
	sort(tests) {
		const isModel = ({ path }) => path.includes('/test/model/');
		const sorted = super.sort(tests);
		return [...sorted.filter(isModel), ...sorted.filter((one) => !isModel(one))];
	}
};
