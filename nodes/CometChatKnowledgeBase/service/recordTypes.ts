/** The types of records that CometChat's page names. */
const DOCUMENTED = ['uploads', 'text-details'];

/**
 * Whether a record of the list is of a type that the node's fields have.
 *
 * The service's word for a website is not documented; `website` is what its other addresses say. Whatever
 * is neither of the documented types therefore counts as one: better too much than nothing.
 *
 * @param wanted `uploads`, `text-details` or `website`.
 */
export function isOfType(type: string, wanted: string): boolean {
	return wanted === 'website' ? !DOCUMENTED.includes(type) : type === wanted;
}
