"""The least that a page with a figure costs, for the benchmark of the browser: a heading, a slider, one bar chart."""

import plotly.graph_objects as go
import streamlit as st

st.header("A bar chart")
height = st.slider("height", 0.0, 1.0, 0.8)
st.plotly_chart(go.Figure(go.Bar(x=[1, 2, 3], y=[1, 3, height])))
