import type { IAuthenticate, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import {
	credentialTest,
	withTestTimeout,
} from '../nodes/CometChatKnowledgeBase/http/credentialTest';
import { authenticateRequest } from '../nodes/CometChatKnowledgeBase/http/sign';
import { toResultSync, UserError } from '../nodes/CometChatKnowledgeBase/text/failure';

export class CometChatApi implements ICredentialType {
	name = 'cometChatApi';

	displayName = 'CometChat API';

	icon: Icon = {
		light: 'file:../nodes/CometChatKnowledgeBase/cometChatKnowledgeBase.svg',
		dark: 'file:../nodes/CometChatKnowledgeBase/cometChatKnowledgeBase.dark.svg',
	};

	documentationUrl = 'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat#credentials';

	/** Hides n8n's own list of allowed hosts, because `sign` already allows only the credential's host. */
	hideDomainRestrictionFields = true;

	properties: INodeProperties[] = [
		{
			displayName: 'Region',
			name: 'region',
			type: 'options',
			options: [
				{ name: 'US', value: 'us' },
				{ name: 'EU', value: 'eu' },
				{ name: 'India', value: 'in' },
				{ name: 'Custom Host', value: 'custom' },
			],
			default: 'us',
			description:
				"The app's region, as shown in the CometChat dashboard. Choose 'Custom Host' only for a dedicated deployment.",
		},
		{
			displayName: 'App ID',
			name: 'appId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 168428446858f07fb',
			hint: 'In the CometChat dashboard: open your app, then select API & Auth Keys (or Credentials)',
			displayOptions: { hide: { region: ['custom'] } },
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://chat.example.com/v3',
			description: 'The URL of your dedicated deployment, including the version',
			displayOptions: { show: { region: ['custom'] } },
		},
		{
			displayName: 'App ID',
			// Not the name of a region's App ID, which the credential may still contain: a custom host must not receive
			// an App ID that its form doesn't show.
			name: 'customAppId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 168428446858f07fb',
			description:
				"The app's ID, if your deployment needs it. The node sends the ID in the header 'appid'.",
			displayOptions: { show: { region: ['custom'] } },
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			hint: 'The REST API Key, not the Auth Key. In the CometChat dashboard: your app, API & Auth Keys (or Credentials)',
		},
	];

	/** A function, not n8n's generic form: it takes half the time for each request, and can refuse a request. */
	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		const signed = toResultSync(() => authenticateRequest(requestOptions, credentials));
		if (signed instanceof UserError) throw new Error(`${signed.title}. ${signed.hint}`);
		return withTestTimeout(requestOptions, signed);
	};

	test = credentialTest;
}
