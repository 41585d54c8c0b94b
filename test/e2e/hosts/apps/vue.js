import { createApp, defineComponent, h, ref } from 'vue';

const App = defineComponent(() => {
  const changes = ref(0);
  const thanked = ref(0);
  return () =>
    h('main', { class: `changed-${changes.value}` }, [
      h('p', { id: 'changes' }, changes.value),
      h('p', { id: 'thanked' }, thanked.value),
      h('connect-donate', {
        form: 'default',
        class: `changed-${changes.value}`,
        onConnectChange: () => changes.value++,
        onConnectSuccess: () => thanked.value++,
      }),
    ]);
});

createApp(App).mount('#app');
