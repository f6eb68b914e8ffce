import { dirname, resolve } from 'node:path';

import ts from 'typescript';

const CONFIG = 'tsconfig.json';

/** Tells of one file at a time what the compiler would say of it with another text. */
export class Compiler {
	private text: string | undefined;

	private version = 0;

	private readonly path: string;

	private readonly service: ts.LanguageService;

	constructor(path: string) {
		this.path = resolve(path);
		const { config } = ts.readConfigFile(CONFIG, ts.sys.readFile);
		const { options, fileNames } = ts.parseJsonConfigFileContent(
			config,
			ts.sys,
			dirname(resolve(CONFIG)),
		);
		const isChanged = (name: string) => this.text !== undefined && resolve(name) === this.path;
		this.service = ts.createLanguageService({
			getCompilationSettings: () => options,
			getScriptFileNames: () => fileNames,
			getScriptVersion: (name) => (isChanged(name) ? String(this.version) : '0'),
			getScriptSnapshot: (name) => {
				const text = isChanged(name) ? this.text : ts.sys.readFile(name);
				return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
			},
			getCurrentDirectory: () => process.cwd(),
			getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
			fileExists: (name) => ts.sys.fileExists(name),
			readFile: (name) => ts.sys.readFile(name),
			readDirectory: (...given) => ts.sys.readDirectory(...given),
			directoryExists: (name) => ts.sys.directoryExists(name),
			getDirectories: (name) => ts.sys.getDirectories(name),
		});
	}

	/** Whether the file would not compile with this text, as far as the file itself tells. */
	refuses(text: string): boolean {
		this.text = text;
		this.version += 1;
		const { service, path } = this;
		const found = [
			...service.getSyntacticDiagnostics(path),
			...service.getSemanticDiagnostics(path),
		];
		return found.some(({ category }) => category === ts.DiagnosticCategory.Error);
	}
}
