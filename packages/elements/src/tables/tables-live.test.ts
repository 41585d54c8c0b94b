import { expect } from '@open-wc/testing';
import '../define.ts';
import { server } from '../test-support/set-up.ts';
import {
  DONATIONS,
  queryShadow,
  names,
  openWholeTable,
  listResponse,
  rows,
  some,
  text,
  untilAnotherPolls,
} from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const open = (refreshSeconds = 0) =>
  openWholeTable({ limit: '3', 'refresh-seconds': `${refreshSeconds}` });

describe('a table that polls', () => {
  it('adds new rows on top, announces them, and keeps the DOM nodes of the others', async () => {
    server.on(DONATIONS, (_, times) => listResponse(times === 1 ? some(3, 3) : some(4, 3), 'more'));
    const element = await open(0.2);
    const [first] = rows(element);
    await waitUntil(() => rows(element).length === 4, 'four rows');
    expect(names(element)[0]).to.equal('Donor 4');
    expect(rows(element)[1]).to.equal(first);
    expect(queryShadow(element, '[role=status]')).to.have.text('New donations: 1');
  });

  it('updates a changed row', async () => {
    server.on(DONATIONS, (_, times) =>
      listResponse(some(2, 2, times === 1 ? {} : { dispute_status: 'lost' })),
    );
    const element = await open(0.2);
    expect(text(element)).to.include('Paid');
    await waitUntil(() => text(element).includes('Dispute lost'), 'new status');
  });

  it('starts again with the first page if more rows are new than fit on it', async () => {
    server.on(DONATIONS, (_, times) => listResponse(times === 1 ? some(3, 3) : some(9, 3), 'more'));
    const element = await open(0.2);
    await waitUntil(() => names(element)[0] === 'Donor 9', 'new page');
    expect(rows(element)).to.have.length(3);
  });

  it('keeps its rows when requests fail, and polls less often', async () => {
    const requestTimes: number[] = [];
    server.on(DONATIONS, (_, times) => {
      requestTimes.push(performance.now());
      return times === 1 ? listResponse(some(1, 1)) : undefined;
    });
    const element = await open(0.1);
    await waitUntil(() => text(element).includes('Not up to date'), 'stale');
    await waitUntil(() => requestTimes.length === 5, 'three failures more');
    expect(rows(element)).to.have.length(1);
    const delays = requestTimes.slice(1).map((at, nth) => at - requestTimes[nth]!);
    expect(delays[2], `${delays}`).to.be.at.least(390);
    expect(delays[3], `${delays}`).to.be.at.least(790);
  });

  it('stops polling when it is removed', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    const element = await open(0.1);
    await waitUntil(() => server.requestsTo(DONATIONS).length > 1);
    element.remove();
    const requestCount = server.requestsTo(DONATIONS).length;
    await untilAnotherPolls(0.1);
    expect(server.requestsTo(DONATIONS)).to.have.length(requestCount);
  });

  it('reloads on refresh()', async () => {
    server.on(DONATIONS, (_, times) => listResponse(some(times, 1)));
    const element = await open();
    await element.refresh();
    await element.updateComplete;
    expect(names(element)).to.deep.equal(['Donor 2']);
  });
});
