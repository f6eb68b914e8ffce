import { proveCore } from '../engine/core.mjs';
import { proveMemory } from '../engine/memory.mjs';
import { proveStopping } from '../engine/stopping.mjs';
import { proveTools } from '../engine/tools.mjs';
import { proveWorkflows } from '../engine/workflows.mjs';
import type { Topic } from '../prove.mjs';

export const engine: Topic = {
	name: 'engine',
	async proveAll(prove, stage) {
		const environment = await stage.environment();
		await proveCore(prove, environment);
		await proveWorkflows(prove, environment);
		await proveStopping(prove, environment);
		await proveTools(prove, environment);
		await proveMemory(prove, environment);
	},
};
